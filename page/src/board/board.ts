/** The board that a page uses: draws a state, and tells what its user chooses. */

import "./board.css";
import { Buttons } from "./buttons";
import { Choice, spotsOf, typedAction } from "./choice";
import { html, paint, set } from "./dom";
import { Hits, type StateOfSpot } from "./hits";
import { Motion } from "./motion";
import { intendedSpot } from "./near";
import { Plan, type Point } from "./plan";
import { Pointer, type PointerHandler } from "./pointer";
import { Preview } from "./preview";
import { Scene } from "./scene";
import { Trays } from "./trays";
import type { Events, LabelSpot, Layout, Look, State } from "./types";

const NARROW = 560; // pixels; below, what stands beside the board goes under it
const EMPTY: State = { view: { pieces: {} }, paths: null };

export class Board implements PointerHandler {
  private state: State = EMPTY;
  private plan: Plan;
  private choice = new Choice(null);
  private readonly scene: Scene;
  private readonly hits: Hits;
  private readonly trays: Trays;
  private readonly buttons: Buttons;
  private readonly motion: Motion;
  private readonly preview: Preview;
  private readonly pointer: Pointer;
  private readonly frame = html("div", "roundel-board");
  private readonly resizeObserver: ResizeObserver;
  private width = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly layout: Layout,
    private readonly look: Look,
    private readonly events: Events,
  ) {
    this.plan = new Plan(layout, look);
    this.scene = new Scene(look);
    this.hits = new Hits(this.scene.layers.hits.element);
    this.trays = new Trays(layout, this.scene.symbols, look.tray_columns);
    this.buttons = new Buttons(this.plan, layout, (spot) => this.press(spot, false));
    this.motion = new Motion(this.scene, this.trays);
    this.preview = new Preview(this.scene, events);
    this.pointer = new Pointer(this.scene.element, this);
    this.frame.append(this.scene.picture, this.buttons.element, this.trays.element);
    host.dataset.look = paint(look.palettes);
    this.frame.addEventListener("keydown", (event) => this.keyPressed(event));
    this.frame.addEventListener("focusin", () => this.showPreview(this.hits.focused));
    host.append(this.frame);
    this.resizeObserver = new ResizeObserver(() => this.resized());
    this.resizeObserver.observe(host);
  }

  // -- What the page asks for ---------------------------------------------------

  update(state: State): void {
    const [before, box] = [this.state, this.scene.box];
    this.state = state;
    const isSame = isEqual(before.view, state.view);
    this.motion.stop();
    const moves = before !== EMPTY && !isSame && this.isAnimated(state);
    const run = moves ? this.motion.prepare(this.plan, before.view, state.view) : null;
    const isTurned = !isEqual(turning(before), turning(state));
    if (isTurned) this.plan = this.makePlan();
    const isToggled = Boolean(before.disabled) !== Boolean(state.disabled);
    const isOther = !isSame || isToggled || before.ply !== state.ply || !isEqual(before.paths, state.paths);
    if (isOther || this.choice.isSent) {
      this.choice = new Choice(state.disabled ? null : state.paths);
      this.preview.forget();
      this.reportChoice();
    }
    this.draw();
    if (isTurned) return;
    run?.();
    if (before !== EMPTY && this.isAnimated(state)) this.motion.reframe(box, this.scene.box);
  }

  /** Forget what is chosen; also an action that was sent, but refused. */
  cancel(): void {
    if (this.choice.isSent) this.choice = new Choice(this.state.paths);
    else if (!this.choice.clear()) return;
    this.preview.hide();
    this.drawChoice();
    this.reportChoice();
  }

  /** Play the action that only waits for a second tap. */
  confirm(): void {
    if (this.choice.waiting !== null) this.play(this.choice.waiting);
  }

  /** Typed notation, or the spots of an action; false if it is no action. */
  type(text: string): boolean {
    const action = this.choice.paths && typedAction(this.choice.paths, text);
    if (action) this.play(action);
    return Boolean(action);
  }

  setSpotLabels(label: LabelSpot): void {
    this.hits.labelSpot = label;
    this.drawChoice();
  }

  destroy(): void {
    this.motion.stop();
    this.preview.forget();
    this.pointer.destroy();
    this.resizeObserver.disconnect();
    this.frame.remove();
    delete this.host.dataset.look;
  }

  // -- Drawing ------------------------------------------------------------------

  private makePlan(): Plan {
    const { turned, flipped } = this.state;
    const narrow = this.width > 0 && this.width < NARROW;
    return new Plan(this.layout, this.look, { turned, flipped, narrow });
  }

  private resized(): void {
    const { width } = this.host.getBoundingClientRect();
    if (Math.abs(width - this.width) < 1) return;
    this.width = this.scene.width = width;
    this.plan = this.makePlan();
    if (this.state !== EMPTY) this.draw();
  }

  private draw(): void {
    const { paths, view, disabled, over } = this.state;
    this.scene.draw(this.plan, this.state, paths ? spotsOf(paths) : []);
    this.trays.draw(view);
    const { element } = this.scene;
    set(element, "role", disabled ? "img" : "application");
    set(element, "aria-label", this.host.ariaLabel || "Roundel");
    if (disabled) this.hits.clear();
    else this.hits.draw(this.plan, this.scene.shown);
    this.buttons.element.hidden = !this.plan.buttons.length || Boolean(disabled || over);
    this.drawChoice();
  }

  private drawChoice(): void {
    const { path, waiting } = this.choice;
    const next = waiting === null ? this.choice.next : [];
    this.scene.drawTargets(this.plan, this.state.view, { next, chosen: path });
    const stateOf = this.stateOfSpots();
    this.hits.describe(this.plan, stateOf, (spot) => this.canLift(spot));
    this.buttons.draw(stateOf, Boolean(this.state.unaided));
  }

  private stateOfSpots(): StateOfSpot {
    const { view, last } = this.state;
    const [next, path] = [new Set(this.choice.next), new Set(this.choice.path)];
    return (spot) => ({
      spot,
      pieces: view.pieces[spot] ?? [],
      isTarget: next.has(spot),
      isChosen: path.has(spot),
      isLast: last?.includes(spot) ?? false,
    });
  }

  private isAnimated(state: State): boolean {
    return state.animate !== false && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  private reportChoice(): void {
    const { path, next, waiting } = this.choice;
    this.events.onchange?.([...path], next, waiting);
  }

  // -- Choosing -----------------------------------------------------------------

  private press(spot: string, isTouch: boolean): void {
    if (this.state.disabled) return;
    this.hits.jump(spot);
    if (this.state.unaided) return this.pressUnaided(spot);
    const { choice } = this;
    if (choice.waiting !== null && spot === choice.path.at(-1)) return this.confirm();
    if (spot === choice.path.at(-1) && !choice.next.includes(spot)) return this.cancel();
    const reached = choice.reach(spot);
    if (!reached) {
      this.cancel();
      return this.events.onreason?.(spot);
    }
    choice.path = reached.path;
    choice.waiting = null;
    const isComplete = typeof reached.node === "string";
    if (isComplete && !this.mustConfirm(spot, isTouch)) return this.play(reached.node as string);
    if (isComplete) choice.waiting = reached.node as string;
    this.spotChosen(spot);
  }

  /** Nothing is judged here: every click goes out with those before it. */
  private pressUnaided(spot: string): void {
    const { choice } = this;
    const isBack = choice.path.includes(spot) && this.plan.kinds.has(spot);
    choice.path = isBack ? choice.path.filter((other) => other !== spot) : [...choice.path, spot];
    this.spotChosen(spot);
    if (!isBack) this.events.onpath?.([...choice.path]);
  }

  private spotChosen(spot: string): void {
    this.drawChoice();
    this.preview.show(this.plan, this.state.view, this.choice.waiting);
    this.reportChoice();
    this.events.onannounce?.(this.hits.labelSpot(this.stateOfSpots()(spot)));
  }

  private mustConfirm(spot: string, isTouch: boolean): boolean {
    return !this.plan.buttons.includes(spot) && (this.state.confirm ?? isTouch);
  }

  private play(action: string): void {
    this.choice = new Choice(null);
    this.choice.isSent = true; // until the page says how it goes on
    this.preview.stopAsking();
    this.drawChoice();
    this.reportChoice();
    this.events.onaction?.(action);
  }

  /** Show what a spot would lead to, if it completes an action. */
  private showPreview(spot: string | null): void {
    const action = spot === null ? null : this.choice.completes(spot);
    this.preview.show(this.plan, this.state.view, action ?? this.choice.waiting);
  }

  private keyPressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const spot = (event.target as Element).closest<SVGElement>("g[data-spot]")?.dataset.spot;
    if (event.key === "Escape") this.cancel();
    else if (spot === undefined) return;
    else if (event.key === "Enter" || event.key === " ") this.press(spot, false);
    else if (!this.hits.walk(this.plan, event.key)) return;
    event.preventDefault();
  }

  // -- Hand: what the pointer does ----------------------------------------------

  find(point: Point): string | null {
    const { next, beginnings, path } = this.choice;
    const choosable = this.state.unaided ? [] : [...next, ...beginnings, ...path];
    return intendedSpot(this.plan, point, choosable, this.scene.shown);
  }

  tap(spot: string | null, isTouch: boolean): void {
    if (spot === null) this.cancel();
    else this.press(spot, isTouch);
  }

  hover(spot: string | null): void {
    if (!this.state.disabled) this.showPreview(spot);
  }

  canLift(spot: string): boolean {
    if (this.state.unaided || this.state.disabled || !this.state.view.pieces[spot]) return false;
    const reached = this.choice.reach(spot);
    return reached !== null && typeof reached.node === "object";
  }

  lift(spot: string): SVGElement {
    if (this.choice.path.at(-1) !== spot) this.press(spot, false);
    const piece = this.state.view.pieces[spot]!.at(-1)!;
    const carried = this.scene.symbols.use(piece, this.plan.at(spot));
    carried.setAttribute("class", "carried");
    this.scene.layers.flyers.element.append(carried);
    this.scene.pieceAt(spot)?.classList.add("lifted");
    return carried;
  }

  drop(spot: string | null, from: string): void {
    this.showPreview(null);
    this.scene.pieceAt(from)?.classList.remove("lifted");
    if (spot !== null && spot !== from) this.press(spot, false);
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function turning({ turned = 0, flipped = false }: State): [number, boolean] {
  return [turned, flipped];
}
