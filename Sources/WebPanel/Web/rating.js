// Five stars; pressing the star of the present rating takes the rating back.
export class Rating {
  constructor(link, group) {
    Object.assign(this, { link, group });
    for (let stars = 1; stars <= 5; stars += 1) {
      const button = document.createElement("button");
      button.textContent = "★";
      button.setAttribute("aria-label", `${stars} ${stars === 1 ? "star" : "stars"}`);
      button.addEventListener("click", () => link.send("rating", Math.round(link.get("rating") ?? 0) === stars ? 0 : stars));
      group.append(button);
    }
  }

  show() {
    const rating = Math.round(this.link.get("rating") ?? 0);
    [...this.group.children].forEach((button, index) => {
      button.classList.toggle("lit", index < rating);
      button.setAttribute("aria-pressed", index + 1 === rating);
      button.disabled = !this.link.mayControl || this.link.get("rating/enabled") === 0;
    });
  }
}
