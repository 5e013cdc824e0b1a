// The template editor: while somebody types, the form is sent as if they had asked what it looks like, and the parts that move are
// taken over from the answer. One request at a time; nothing is saved by it.
const form = document.querySelector("form.editor")
const afterMs = 250
let timer
let asking = false
let again = false

const take = (text) => {
  const fresh = new DOMParser().parseFromString(text, "text/html")
  for (const part of form.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id)
    // A field that is typed in stays where it is.
    if (next === null || part.contains(document.activeElement)) continue
    part.replaceChildren(...next.childNodes)
  }
}

const ask = async () => {
  if (asking) {
    again = true
    return
  }
  asking = true
  const fields = new URLSearchParams(new FormData(form))
  fields.set("intent", "look")
  const answer = await fetch(form.action, { method: "POST", body: fields, redirect: "error" }).catch(() => undefined)
  if (answer?.ok === true) take(await answer.text())
  asking = false
  if (again) {
    again = false
    await ask()
  }
}

form?.addEventListener("input", () => {
  clearTimeout(timer)
  timer = setTimeout(ask, afterMs)
})
