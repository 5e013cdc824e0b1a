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

const keysOf = (text) => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, key]) => key)

/** Returns the next variable of a text: a number that it does not have, or a name where the template has names. */
const nextVariable = (text) => {
  const isNamed = [...keysOf(text), ...keysOf(form.elements.header.value)].some((key) => /^[a-z]/.test(key))
  const keys = keysOf(text)
  const keyAt = (place) => (isNamed ? `name_${place}` : String(place))
  let place = 1
  while (keys.includes(keyAt(place))) place++
  return keyAt(place)
}

/** A button that writes a variable where the text is being typed; its key is chosen, to be typed over. */
const inserting = (text) => {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "insert"
  button.textContent = tr("Insert variable")
  button.addEventListener("click", () => {
    const key = nextVariable(text.value)
    const at = text.selectionStart
    text.setRangeText(`{{${key}}}`, at, text.selectionEnd, "end")
    text.focus()
    text.setSelectionRange(at + 2, at + 2 + key.length)
    text.dispatchEvent(new Event("input", { bubbles: true }))
  })
  text.after(button)
}

const text = document.getElementById("body")
if (form !== null && text !== null) inserting(text)

form?.addEventListener("input", () => {
  clearTimeout(timer)
  timer = setTimeout(ask, afterMs)
})
