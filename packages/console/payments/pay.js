// The page of a payer: the time that is left, a button that copies the code, and the outcome as soon as it is known. The page is
// complete without it; a browser without scripts loads it again every few seconds.
const lookEveryMs = 3_000
const began = performance.now()

const left = document.querySelector("[data-left]")
const tellLeft = () => {
  const seconds = Math.max(0, Math.floor((Number(left.dataset.left) - (performance.now() - began)) / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  left.textContent = shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":")
}
if (left !== null) {
  tellLeft()
  setInterval(tellLeft, 1_000)
}

const code = document.getElementById("pix")
const place = document.getElementById("copy")
if (code !== null && place !== null) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "primary"
  button.textContent = tr("Copy the Pix code")
  button.addEventListener("click", async () => {
    code.select()
    const done = await navigator.clipboard.writeText(code.value).then(
      () => true,
      () => document.execCommand("copy")
    )
    button.textContent = done ? tr("Copied: paste it in your bank's app") : tr("The browser did not allow copying.")
  })
  place.append(button)
}

const status = document.querySelector("data")?.value
const look = async () => {
  const answer = document.hidden ? undefined : await fetch(location.href, { redirect: "error" }).catch(() => undefined)
  const text = answer?.ok === true ? await answer.text().catch(() => undefined) : undefined
  const fresh = text === undefined ? undefined : new DOMParser().parseFromString(text, "text/html")
  const now = fresh?.querySelector("data")?.value
  if (now === undefined || now === status) setTimeout(look, lookEveryMs)
  else location.reload()
}
setTimeout(look, lookEveryMs)
