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

document.addEventListener("submit", async (event) => {
  const form = event.target
  if (form.closest(".chat") === null || form.method !== "post") return
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

document.addEventListener("taken", ({ detail }) => detail === "talk" && showNewest())
showNewest()
