// The chat, live: the page fetches itself again when the environment's stream says that something happened, and every few
// seconds where there is no stream. Nothing runs while the tab is hidden.
const status = document.getElementById("live")
const pollMs = 3_000
let stream
let timer
let fetching = false
let again = false

const say = (text) => {
  if (status !== null && status.textContent !== text) status.textContent = text
}

/** Takes over the parts of a page that move, and leaves what the reader types and has opened. */
const take = (text) => {
  const fresh = new DOMParser().parseFromString(text, "text/html")
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id)
    if (next === null || next.innerHTML === part.innerHTML) continue
    const open = [...part.querySelectorAll("details[open]")].map(({ id }) => id)
    part.replaceChildren(...next.childNodes)
    for (const id of open) document.getElementById(id)?.setAttribute("open", "")
    if (part.id === "talk") part.scrollTop = part.scrollHeight
  }
}

const refresh = async () => {
  if (fetching) {
    again = true
    return
  }
  fetching = true
  const answer = await fetch(location.href, { redirect: "error" }).catch(() => undefined)
  if (answer?.ok === true) take(await answer.text())
  fetching = false
  if (again) {
    again = false
    await refresh()
  }
}

const poll = () => {
  stream?.close()
  stream = undefined
  say(tr("This page looks for news every 3 seconds."))
  clearInterval(timer)
  timer = setInterval(refresh, pollMs)
}

const follow = () => {
  stream = new EventSource(status?.dataset.stream ?? "")
  stream.addEventListener("ready", () => {
    say(tr("Live: this page follows what happens."))
    void refresh()
  })
  stream.addEventListener("happened", () => void refresh())
  stream.addEventListener("full", poll)
  stream.addEventListener("error", () => {
    // A connection that broke is opened again by the browser; one that was refused is not.
    if (stream?.readyState === EventSource.CLOSED) poll()
  })
}

const stop = () => {
  stream?.close()
  stream = undefined
  clearInterval(timer)
}

document.addEventListener("visibilitychange", () => {
  stop()
  if (!document.hidden) follow()
})
addEventListener("pagehide", stop)

/** Sends a form without leaving the page. */
document.addEventListener("submit", async (event) => {
  const form = event.target
  if (form.closest(".chat") === null || form.method !== "post") return
  event.preventDefault()
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) })
  const text = await answer.text()
  if (!text.includes('id="talk"')) {
    location.reload()
    return
  }
  take(text)
  if (answer.ok) for (const field of form.querySelectorAll('[name="body"], [name="answer"]')) field.value = ""
})

const talk = document.getElementById("talk")
if (talk !== null) talk.scrollTop = talk.scrollHeight
if (!document.hidden) follow()
