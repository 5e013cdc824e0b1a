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
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) })
  const text = await answer.text()
  if (!text.includes('id="talk"')) {
    location.reload()
    return
  }
  renewForms(text)
  document.dispatchEvent(new CustomEvent("fresh", { detail: text }))
  if (answer.ok) for (const field of form.querySelectorAll('[name="body"], [name="answer"]')) field.value = ""
})

document.addEventListener("taken", ({ detail }) => detail === "talk" && showNewest())
showNewest()
