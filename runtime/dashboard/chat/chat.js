// What the chat does beyond following: forms are sent without leaving the page, and the newest message is in sight.
const talk = document.getElementById("talk")

const showNewest = () => {
  if (talk !== null) talk.scrollTop = talk.scrollHeight
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
  document.dispatchEvent(new CustomEvent("fresh", { detail: text }))
  if (answer.ok) for (const field of form.querySelectorAll('[name="body"], [name="answer"]')) field.value = ""
})

document.addEventListener("taken", ({ detail }) => detail === "talk" && showNewest())
showNewest()
