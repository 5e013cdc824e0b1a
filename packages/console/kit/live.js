// A page that follows what happens: it fetches itself again when its environment's stream says that something did, and takes over the
// parts that say data-live. It looks every few seconds where there is no stream, and as often as an element with data-moves says.
// Nothing runs while the tab is hidden.
const status = document.getElementById("live")
const lookEveryMs = 3_000
// Streams of a busy environment say it often: looks are at least so far apart.
const restMs = 1_000
// What follows an event, such as its webhook, is on no stream.
const settleMs = 4_000
let stream
let timer
let due = 0
let settling
let begun = -restMs
let looking = false
let again = false
let polling = false
let paused = false

/** Returns the markup of a part without what every answer has anew: the value of its forms, and how long ago its times were. */
const markupOf = ({ innerHTML }) => innerHTML.replaceAll(/ name="csrf" value="[^"]*"| data-ago="[^"]*"/g, "")

// Parts as the server wrote them last: what other scripts add to one is no change.
const written = new Map([...document.querySelectorAll("[data-live]")].map((part) => [part.id, markupOf(part)]))

const tell = (text) => {
  if (status !== null && status.textContent !== text) status.textContent = text
}

/** Whether the reader types or selects in a part, which is then left alone until the next look. */
const isInUse = (part) =>
  part.contains(document.activeElement?.closest("input, textarea, select") ?? null) ||
  (getSelection()?.isCollapsed === false && getSelection().containsNode(part, true))

/** Returns what finds an element again in the markup that replaces it. */
const markOf = (element) =>
  [element.localName, element.id, element.getAttribute("href"), element.getAttribute("aria-label")].join(" ")

const replace = (part, fresh) => {
  const focused = part.contains(document.activeElement) ? markOf(document.activeElement) : undefined
  const open = [...part.querySelectorAll("details[open]")].map(({ id }) => id)
  part.replaceChildren(...fresh.childNodes)
  for (const id of open) document.getElementById(id)?.setAttribute("open", "")
  document.dispatchEvent(new CustomEvent("taken", { detail: part.id }))
  if (focused === undefined) return
  const next = [...part.querySelectorAll("a, button, summary")].find((element) => markOf(element) === focused)
  next?.focus({ preventScroll: true })
}

/** Takes over the parts of a page that changed, and leaves alone what the reader does. */
const take = (text) => {
  const fresh = new DOMParser().parseFromString(text, "text/html")
  document.body.dataset.now = fresh.body.dataset.now
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id)
    if (next === null || markupOf(next) === written.get(part.id) || isInUse(part)) continue
    written.set(part.id, markupOf(next))
    replace(part, next)
  }
}

const look = async () => {
  timer = undefined
  looking = true
  begun = performance.now()
  const answer = await fetch(location.href, { redirect: "error" }).catch(() => undefined)
  const text = answer?.ok === true ? await answer.text().catch(() => undefined) : undefined
  if (text !== undefined) take(text)
  looking = false
  plan()
}

/** Looks after so many milliseconds, or sooner where a look is planned before that. */
const lookIn = (ms) => {
  if (looking) {
    again = true
    return
  }
  const at = Math.max(performance.now() + ms, begun + restMs)
  if (timer !== undefined && due <= at) return
  clearTimeout(timer)
  due = at
  timer = setTimeout(look, at - performance.now())
}

/** Plans the next look, if there is to be one without an event. */
const plan = () => {
  if (document.hidden || paused) return
  const moves = document.querySelector("[data-moves]")
  if (again) lookIn(0)
  if (moves !== null) lookIn(Number(moves.dataset.moves) * 1_000)
  if (polling) lookIn(lookEveryMs)
  again = false
}

const poll = () => {
  stream?.close()
  stream = undefined
  polling = true
  tell(tr("This page looks for news every 3 seconds."))
  plan()
}

const listen = (address) => {
  stream = new EventSource(address)
  stream.addEventListener("ready", () => {
    tell(tr("Live: this page follows what happens."))
    lookIn(0)
  })
  stream.addEventListener("happened", () => {
    lookIn(0)
    clearTimeout(settling)
    settling = setTimeout(() => lookIn(0), settleMs)
  })
  stream.addEventListener("full", poll)
  stream.addEventListener("error", () => {
    // A connection that broke is opened again by the browser; one that was refused is not.
    if (stream?.readyState === EventSource.CLOSED) poll()
  })
}

const stop = () => {
  stream?.close()
  stream = undefined
  polling = false
  clearTimeout(timer)
  clearTimeout(settling)
  timer = undefined
}

const start = () => {
  stop()
  if (document.hidden || paused) return
  const address = status?.dataset.stream
  if (address !== undefined) listen(address)
  else if (status !== null) poll()
  plan()
}

/** Lets the reader stop what moves. */
const addPause = () => {
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = tr("Stand still")
  button.addEventListener("click", () => {
    paused = !paused
    button.textContent = paused ? tr("Go on") : tr("Stand still")
    if (paused) tell(tr("Paused: this page stands still."))
    start()
  })
  status.after(" ", button)
}

if (status !== null) addPause()
document.addEventListener("fresh", ({ detail }) => take(detail))
document.addEventListener("visibilitychange", start)
addEventListener("pagehide", stop)
addEventListener("pageshow", ({ persisted }) => persisted && start())
start()
