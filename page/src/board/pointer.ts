/** Mouse, pen and finger: taps, drags and hovering, reported as spots. */

import type { Point } from "./plan";

const SLOP = 7; // pixels that a tap may tremble

export interface PointerHandler {
  /** The spot that is meant at a point, null beside all. */
  find(point: Point): string | null;
  canLift(spot: string): boolean;
  /** What is carried along. */
  lift(spot: string): SVGElement;
  /** It is let go; over another spot, it is meant for that. */
  drop(spot: string | null, from: string): void;
  tap(spot: string | null, isTouch: boolean): void;
  hover(spot: string | null): void;
}

interface Drag {
  id: number;
  spot: string;
  x: number;
  y: number;
  carried: SVGElement | null;
}

export class Pointer {
  private drag: Drag | null = null;
  private wasDragged = false;
  private readonly listeners = new AbortController();

  constructor(
    private readonly element: SVGSVGElement,
    private readonly handler: PointerHandler,
  ) {
    const options = { signal: this.listeners.signal };
    element.addEventListener("pointerdown", (event) => this.down(event), options);
    element.addEventListener("pointermove", (event) => this.moved(event), options);
    element.addEventListener("pointerup", (event) => this.up(event), options);
    element.addEventListener("pointercancel", () => this.release(), options);
    element.addEventListener("pointerleave", () => this.handler.hover(null), options);
    const active = { ...options, passive: false };
    element.addEventListener("touchmove", (event) => this.preventScroll(event), active);
    element.addEventListener("click", (event) => this.click(event), options);
  }

  destroy(): void {
    this.release();
    this.listeners.abort();
  }

  private point(event: MouseEvent): Point {
    const matrix = this.element.getScreenCTM()?.inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix ?? new DOMMatrix());
  }

  private down(event: PointerEvent): void {
    this.wasDragged = false;
    if (!event.isPrimary || event.button !== 0) return;
    const spot = this.handler.find(this.point(event));
    if (spot === null) return;
    this.drag = { id: event.pointerId, spot, x: event.clientX, y: event.clientY, carried: null };
  }

  private moved(event: PointerEvent): void {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) {
      if (event.pointerType === "mouse") this.handler.hover(this.handler.find(this.point(event)));
      return;
    }
    if (!drag.carried && !this.begin(event, drag)) return;
    const { x, y } = this.point(event);
    drag.carried!.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(1.1)`);
    this.handler.hover(this.handler.find({ x, y }));
  }

  private begin(event: PointerEvent, drag: Drag): boolean {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLOP) return false;
    if (!this.handler.canLift(drag.spot)) {
      this.drag = null;
      return false;
    }
    drag.carried = this.handler.lift(drag.spot);
    this.wasDragged = true;
    this.element.setPointerCapture(drag.id);
    this.element.classList.add("dragging");
    return true;
  }

  /** A finger that drags a piece does not scroll the page; `touch-action` cannot say it of a spot. */
  private preventScroll(event: TouchEvent): void {
    const isDrag = this.drag && this.handler.canLift(this.drag.spot);
    if (isDrag && event.cancelable) event.preventDefault();
  }

  private up(event: PointerEvent): void {
    this.release(this.handler.find(this.point(event)));
  }

  private release(spot: string | null = null): void {
    const { drag } = this;
    this.drag = null;
    this.element.classList.remove("dragging");
    drag?.carried?.remove();
    if (drag?.carried) this.handler.drop(spot, drag.spot);
  }

  /** Screen readers click without a place: then the element tells the spot. */
  private click(event: MouseEvent): void {
    if (this.wasDragged) {
      this.wasDragged = false;
      return;
    }
    const target = (event.target as Element).closest<SVGElement>("[data-spot]");
    const named = event.detail === 0 ? target?.dataset.spot : undefined;
    const isTouch = (event as PointerEvent).pointerType === "touch";
    this.handler.tap(named ?? this.handler.find(this.point(event)), isTouch);
  }
}
