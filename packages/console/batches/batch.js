// The form of a batch: the bytes of a chosen or dropped file go to the server, which alone finds out their encoding.
const list = document.getElementById("list")
const file = document.getElementById("list-file")
const bytes = document.getElementById("list-bytes")
const told = document.getElementById("list-read")
const dropZone = file?.closest(".drop")

const read = async (chosen) => {
  if (chosen === undefined) return
  const url = await new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(String(reader.result)))
    reader.readAsDataURL(chosen)
  })
  bytes.value = url.slice(url.indexOf(",") + 1)
  bytes.disabled = false
  list.value = ""
  told.textContent = `${chosen.name}: ${tr("read when you look at who gets it")}`
}

/** Takes a file that is dropped on a part of the page. */
const takesFiles = (part) => {
  part.addEventListener("dragover", (event) => {
    event.preventDefault()
    dropZone.classList.add("over")
  })
  part.addEventListener("dragleave", () => dropZone.classList.remove("over"))
  part.addEventListener("drop", (event) => {
    dropZone.classList.remove("over")
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    read(event.dataTransfer.files[0])
  })
}

if (list !== null && file !== null) {
  dropZone.hidden = false
  file.addEventListener("change", () => read(file.files[0]))
  list.addEventListener("input", () => {
    bytes.disabled = true
    told.textContent = ""
  })
  takesFiles(list)
  takesFiles(dropZone)
}
