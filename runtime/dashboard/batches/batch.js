// The form of a batch: a file is read here, in the browser, and its text stands in the list as if it had been pasted.
const list = document.getElementById("list")
const file = document.getElementById("list-file")

const read = async (chosen) => {
  if (chosen === undefined) return
  list.value = await chosen.text()
  list.dispatchEvent(new Event("input", { bubbles: true }))
}

if (list !== null && file !== null) {
  file.closest("[hidden]")?.removeAttribute("hidden")
  file.addEventListener("change", () => read(file.files[0]))
  list.addEventListener("dragover", (event) => event.preventDefault())
  list.addEventListener("drop", (event) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    read(event.dataTransfer.files[0])
  })
}
