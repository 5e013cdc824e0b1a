// What the chat does beyond following: forms are sent without leaving the page, and the newest message is in sight.
const talk = document.getElementById("talk")

const showNewest = () => {
  if (talk !== null) talk.scrollTop = talk.scrollHeight
}

/** Takes over the value of the answer's forms: a form that keeps its own says the same once more, and is sent once. */
const renewForms = (text) => {
  const [, value] = / name="csrf" value="([^"]*)"/.exec(text) ?? []
  if (value === undefined) return
  for (const field of document.querySelectorAll('input[name="csrf"]')) field.value = value
}

/** Turns the composer to the side that the answer is of: after a customer's first words, to the business. */
const turnTo = (text) => {
  const [, side] = / name="side" value="(\w+)" checked/.exec(text) ?? []
  const other = document.querySelector(`[name="side"][value="${side}"]:not(:checked)`)
  document.querySelector('.composer [name="next"]')?.remove()
  if (other === null) return
  other.checked = true
  document.querySelector(side === "business" ? "#answer" : "#body")?.focus()
}

document.addEventListener("submit", async (event) => {
  const form = event.target
  // The picker of templates comes as a page, which keeps what was written.
  if (form.closest(".chat") === null || form.method !== "post" || event.submitter?.name === "pick") return
  event.preventDefault()
  const fields = new URLSearchParams(new FormData(form, event.submitter))
  const answer = await fetch(form.action, { method: "POST", body: fields })
  const text = await answer.text()
  // A template that was sent leaves its picker, which is no part that follows.
  if (!text.includes('id="talk"') || (answer.ok && fields.has("template"))) {
    location.assign(answer.url)
    return
  }
  renewForms(text)
  document.dispatchEvent(new CustomEvent("fresh", { detail: text }))
  if (!answer.ok) return
  turnTo(text)
  event.submitter?.closest("details.react")?.removeAttribute("open")
  for (const field of form.querySelectorAll('[name="body"], [name="answer"], [name^="button_"]')) field.value = ""
})

// Enter sends, and with Shift it begins a line.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches?.(".composer textarea"))
    return
  event.preventDefault()
  event.target.form.requestSubmit(event.target.parentElement.querySelector("button"))
})

// A page that a form was answered with has no address of its own: it is followed, and loaded anew, as the conversation.
const { address } = document.querySelector(".chat[data-address]")?.dataset ?? {}
if (address !== undefined && location.pathname.split("/").length > 3) history.replaceState(null, "", address)

document.addEventListener("taken", ({ detail }) => detail === "talk" && showNewest())
showNewest()
