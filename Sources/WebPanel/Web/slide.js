// Moving something under a finger: by as much as the finger moves, so that a tap does nothing, and only once it clearly does not scroll the page.

/** Pixels that a finger moves before it moves anything. */
const SLOP = 8;

/**
 * @param area - Gets the pointers. Its `touch-action` lets a finger that moves up or down scroll the page.
 * @param hand - What is moved: `may()` says whether it can be; `begin()`; `move(across, down)` gets the pixels since it began; `end()`; `cancel()`
 *   puts it back. If `isFree(event)`, it may begin up or down as well.
 * @returns a function that ends a drag under way: the finger moves nothing more until it is put down again.
 */
export function slide(area, hand) {
  let drag = null;
  const finish = (event, how) => {
    if (event.pointerId !== drag?.pointer) return;
    const { hasBegun } = drag;
    drag = null;
    if (hasBegun) hand[how]();
  };
  area.addEventListener("pointerdown", (event) => {
    if (drag || event.button !== 0 || !hand.may()) return;
    drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, isFree: hand.isFree?.(event) ?? false, hasBegun: false };
    area.setPointerCapture(event.pointerId);
  });
  area.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    if (!drag.hasBegun) {
      const [across, down] = [event.clientX - drag.x, event.clientY - drag.y], distance = drag.isFree ? Math.hypot(across, down) : Math.abs(across);
      if (distance < SLOP || !drag.isFree && Math.abs(across) < Math.abs(down)) return;
      // It does not jump when it begins.
      drag.x += across * SLOP / distance;
      drag.y += down * SLOP / distance;
      drag.hasBegun = true;
      hand.begin();
    }
    hand.move(event.clientX - drag.x, event.clientY - drag.y);
  });
  area.addEventListener("pointerup", (event) => finish(event, "end"));
  for (const name of ["pointercancel", "lostpointercapture"]) area.addEventListener(name, (event) => finish(event, "cancel"));
  return () => { drag = null; };
}

/**
 * The same for a slider from 0 to 1, which is put into an element that gets the pointers in its place; keys still reach it.
 *
 * @param hand - As for `slide`, but `move` gets the slider's value.
 */
export function slideInput(input, { begin, move, end, cancel }) {
  const track = document.createElement("span");
  track.className = "track";
  input.replaceWith(track);
  track.append(input);
  let before = 0;
  return slide(track, {
    may: () => !input.disabled,
    begin: () => { before = Number(input.value); begin(); },
    move: (across) => {
      input.value = within(before + across / track.clientWidth);
      move(Number(input.value));
    },
    end,
    cancel: () => { input.value = before; cancel(before); },
  });
}

/** The value, or the nearest one from 0 to 1. */
export const within = (value) => Math.min(Math.max(value, 0), 1);
