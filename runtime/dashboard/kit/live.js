// A page whose content moves: while an element says so by data-moves, the page fetches itself again and takes over the
// parts that say data-live. Nothing runs while the tab is hidden.
const pollMs = 1_000
let timer
// Parts as the server wrote them last: what other scripts add to one is no change.
const written = new WeakMap()

const take = (text) => {
  const fresh = new DOMParser().parseFromString(text, "text/html")
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id)
    if (next === null || next.innerHTML === (written.get(part) ?? part.innerHTML)) continue
    written.set(part, next.innerHTML)
    const open = [...part.querySelectorAll("details[open]")].map(({ id }) => id)
    part.replaceChildren(...next.childNodes)
    for (const id of open) document.getElementById(id)?.setAttribute("open", "")
  }
}

const look = async () => {
  timer = undefined
  const answer = await fetch(location.href, { redirect: "error" }).catch(() => undefined)
  if (answer?.ok === true) take(await answer.text())
  follow()
}

const follow = () => {
  if (timer !== undefined || document.hidden || document.querySelector("[data-moves]") === null) return
  timer = setTimeout(look, pollMs)
}

document.addEventListener("visibilitychange", follow)
follow()
