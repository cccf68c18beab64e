// Moving something under a finger: by as much as the finger moves, so that a tap does nothing, and only once it clearly does not scroll the
// page.

/** Pixels that a finger moves before it moves anything. */
const SLOP = 8;

/**
 * @param area - Gets the pointers. Its `touch-action` lets a finger that moves up or down scroll the page; or, of what `isUpright`, one that
 *   moves sideways, and also one that moves up or down where `touch-action` allows it.
 * @param hand - The part that is moved: `may(event)` says whether it can be; `begin()`; `move(across, down)` gets the pixels since it began;
 *   `end()`; `cancel()` puts it back. If `isFree(event)`, it may begin in any direction.
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
    if (drag || event.button !== 0 || !hand.may(event) || hand.isUpright && scrolls(event)) return;
    drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, isFree: hand.isFree?.(event) ?? false, hasBegun: false };
    area.setPointerCapture(event.pointerId);
  });
  area.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    if (!drag.hasBegun) {
      const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
      const [along, beside] = hand.isUpright ? [Math.abs(down), Math.abs(across)] : [Math.abs(across), Math.abs(down)];
      const distance = drag.isFree ? Math.hypot(across, down) : along;
      if (distance < SLOP || !drag.isFree && along < beside) return;
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

/** Whether a finger scrolls the page up or down where it was put down. */
function scrolls({ target, pointerType }) {
  return pointerType === "touch" && /auto|manipulation|pan-y/.test(getComputedStyle(target).touchAction);
}

/**
 * The same for a slider from 0 to 1, which is put into an element that gets the pointers in its place, and draws its value; keys still reach
 * it.
 *
 * @param hand - As for `slide`, but `move` gets the slider's value.
 */
export function slideInput(input, { isUpright, begin, move, end, cancel }) {
  const [track, fill, cap] = ["track", "fill", "cap"].map((name) => Object.assign(document.createElement("span"), { className: name }));
  input.replaceWith(track);
  track.append(fill, cap, input);
  if (isUpright) input.setAttribute("aria-orientation", "vertical");
  // Sideways, the end of the scale is where lines of text end.
  const length = () => (isUpright ? track.clientHeight : track.clientWidth * (getComputedStyle(track).direction === "rtl" ? -1 : 1));
  let before = 0;
  return slide(track, {
    isUpright,
    may: () => !input.disabled,
    begin: () => { before = Number(input.value); begin(); },
    move: (across, down) => {
      input.value = within(before + (isUpright ? -down : across) / length());
      drawSlider(input);
      move(Number(input.value));
    },
    end,
    cancel: () => { input.value = before; drawSlider(input); cancel(before); },
  });
}

/** Draws the value of a slider in its track. */
export function drawSlider(input) { input.parentElement.style.setProperty("--value", input.value); }

/** The value, or the nearest one from 0 to 1. */
export const within = (value) => Math.min(Math.max(value, 0), 1);
