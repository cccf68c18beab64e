// The four places, Now, Mix, Queue and Library: on a phone one of them is shown, on a wide screen all are.

export class Places {
  /** @param changed - Is called when another place is shown, or when the page has another size. */
  constructor(changed) {
    this.changed = changed;
    this.buttons = [...document.querySelectorAll("[data-go]")];
    for (const button of this.buttons) button.addEventListener("click", () => this.go(button.dataset.go));
    new ResizeObserver(() => this.measure()).observe(document.body);
    this.go("now");
  }

  go(name) {
    document.body.dataset.place = name;
    for (const button of this.buttons) {
      if (button.dataset.go === name) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    scrollTo(0, 0);
    this.measure();
  }

  /** Notes whether the page scrolls: then a finger has to take an upright fader by its cap. */
  measure() {
    const { scrollHeight, clientHeight } = document.documentElement;
    document.body.classList.toggle("scrolls", scrollHeight > clientHeight + 1);
    this.changed();
  }
}
