/** Clocks as people read them. */

/** The time on a seat's clock: the server's figure less what passed here since it came. */
export function timeLeft(clocks: number[], running: number | null, seat: number, elapsed: number): number {
  return Math.max(0, (clocks[seat] ?? 0) - (running === seat ? elapsed : 0));
}

/** 4:05, 1:02:03, and tenths below ten seconds. */
export function clockText(milliseconds: number): string {
  if (milliseconds < 10_000) return `0:0${(Math.floor(milliseconds / 100) / 10).toFixed(1)}`;
  const total = Math.floor(milliseconds / 1000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** How long to wait before the reading changes. */
export const tickInterval = (milliseconds: number): number => (milliseconds < 10_500 ? 100 : 250);
