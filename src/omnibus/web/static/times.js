// @ts-check
// Times of day, in the reader's own format and time zone.

/** Write every time on the page. */
export function showTimes() {
  const language = document.documentElement.lang;
  for (const when of document.querySelectorAll("time")) {
    const weekday = when.classList.contains("starts") ? "short" : undefined;
    const day = new Intl.DateTimeFormat(language, { weekday, month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
    when.textContent = day.format(1000 * Number(when.dataset.at));
  }
}
