// What every page of a signed-in person gets with scripts on: the palette, times as people say them, and ids that copy.
// Each page is complete without it.

/** The palette: pages by name at once, anything else by the search page, with the keyboard alone. */
const palette = () => {
  const dialog = document.createElement("dialog")
  dialog.className = "palette"
  dialog.setAttribute("aria-label", tr("Find anything"))
  const input = document.createElement("input")
  const list = document.createElement("ul")
  const status = document.createElement("p")
  input.type = "text"
  input.maxLength = 256
  input.placeholder = tr("Page, id, phone, trace, template")
  input.spellcheck = false
  input.autocomplete = "off"
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-label": tr("Find anything"),
    "aria-controls": "palette-list",
    "aria-expanded": "true",
    "aria-autocomplete": "list"
  }))
    input.setAttribute(name, value)
  list.id = "palette-list"
  list.setAttribute("role", "listbox")
  list.setAttribute("aria-label", tr("Found"))
  status.setAttribute("role", "status")
  status.className = "muted"
  dialog.append(input, list, status)
  document.body.append(dialog)

  let chosen = 0
  let asked
  let timer

  const options = () => [...list.children]
  const choose = (index) => {
    const all = options()
    chosen = all.length === 0 ? 0 : (index + all.length) % all.length
    for (const [at, option] of all.entries()) option.setAttribute("aria-selected", String(at === chosen))
    input.setAttribute("aria-activedescendant", all[chosen]?.id ?? "")
    all[chosen]?.scrollIntoView({ block: "nearest" })
  }

  const option = ({ href, kind, name }, index) => {
    const item = document.createElement("li")
    const link = document.createElement("a")
    const what = document.createElement("span")
    item.id = `palette-${index}`
    item.setAttribute("role", "option")
    link.href = href
    link.tabIndex = -1
    link.textContent = name
    what.className = "muted"
    what.textContent = kind
    item.append(link, " ", what)
    item.addEventListener("click", () => location.assign(href))
    return item
  }

  const pages = (typed) =>
    [...document.querySelectorAll("#menu a")]
      .filter((link) => link.textContent.toLowerCase().includes(typed.toLowerCase()))
      .map(({ href, textContent }) => ({ href, name: textContent, kind: tr("Page") }))

  const show = (found, text) => {
    list.replaceChildren(...found.map(option))
    status.textContent = text
    choose(0)
  }

  const search = async (typed, known) => {
    asked?.abort()
    asked = new AbortController()
    const { signal } = asked
    const answer = await fetch(`/dashboard/search?q=${encodeURIComponent(typed)}`, { signal }).catch(() => undefined)
    const text = answer?.ok === true ? await answer.text().catch(() => undefined) : undefined
    if (signal.aborted) return
    if (text === undefined) return show(known, tr("The search did not answer. Press Enter for the search page."))
    const hits = new DOMParser().parseFromString(text, "text/html").querySelectorAll("[data-hit]")
    const found = [...hits].map((hit) => ({ href: hit.href, name: hit.textContent, kind: hit.dataset.hit }))
    const all = [...found, ...known]
    show(all, all.length === 0 ? tr("Nothing has this id, phone number or name.") : "")
  }

  const type = () => {
    const typed = input.value.trim()
    const known = pages(typed)
    clearTimeout(timer)
    asked?.abort()
    show(known, typed === "" ? "" : tr("Looking…"))
    if (typed !== "") timer = setTimeout(() => void search(typed, known), searchAfterMs)
  }

  const go = () => {
    const link = options()[chosen]?.querySelector("a")
    const typed = input.value.trim()
    if (link) location.assign(link.href)
    else if (typed !== "") location.assign(`/dashboard/search?open=1&q=${encodeURIComponent(typed)}`)
  }

  const steps = { ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1), Enter: go }
  input.addEventListener("input", type)
  input.addEventListener("keydown", (event) => {
    const step = steps[event.key]
    if (step === undefined || event.isComposing) return
    event.preventDefault()
    step()
  })
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close())
  document.addEventListener("keydown", (event) => {
    const isCtrlK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]") !== null
    if (dialog.open || !(isCtrlK || (isSlash && !isTyping))) return
    event.preventDefault()
    input.value = ""
    dialog.showModal()
    type()
  })
}

const searchAfterMs = 150

/** Times as people say them, by the clock of the server, which a sandbox may have turned; the exact one stands in the title. */
const times = () => {
  let began = performance.now()
  let served = document.body.dataset.now
  // The first of these words makes the browser read its tables of languages: those of the page's own moment come with it.
  let words
  const units = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
    ["second", 1000]
  ]
  const tellServed = () => {
    for (const time of document.querySelectorAll("time[data-ago]:not(.exact, .exact *)")) {
      time.textContent = time.dataset.ago
      time.removeAttribute("data-ago")
    }
  }
  const tellTimes = () => {
    if (served !== document.body.dataset.now) {
      served = document.body.dataset.now
      began = performance.now()
    }
    const now = Number(served) + performance.now() - began
    for (const time of document.querySelectorAll("time[title]:not(.exact, .exact *)")) {
      // Long ago is told best by its date.
      const away = Date.parse(time.dateTime) - now
      if (Math.abs(away) > relativeWithinMs) continue
      const [unit, size] = units.find(([, least]) => Math.abs(away) >= least) ?? ["second", 1000]
      words ??= new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" })
      time.textContent = words.format(Math.trunc(away / size), unit)
    }
  }
  tellServed()
  setInterval(() => document.hidden || tellTimes(), 10_000)
  document.addEventListener("taken", tellServed)
}

/** A month in milliseconds. */
const relativeWithinMs = 2_592_000_000

/** Ids copy on a click or by their button, and stay text that can be selected. */
const copying = () => {
  const told = document.createElement("p")
  told.className = "hidden"
  told.setAttribute("role", "status")
  document.body.append(told)
  const isId = /^(?:[a-z]{2,5}_[0-9a-z]{26}|[0-9a-f]{32})$/
  const copy = async (code) => {
    const done = await navigator.clipboard.writeText(code.textContent).then(
      () => true,
      () => false
    )
    told.textContent = done ? `${tr("Copied")} ${code.textContent}` : tr("The browser did not allow copying.")
    code.classList.toggle("copied", done)
    setTimeout(() => code.classList.remove("copied"), 1500)
  }
  const addTo = (place) => {
    for (const code of place.querySelectorAll("dd code, td code, pre code")) {
      const isCall = code.parentElement.localName === "pre"
      if (!isCall && (!isId.test(code.textContent) || code.closest("a") !== null)) continue
      if (!isCall) {
        code.title = tr("Click to copy")
        code.classList.add("copies")
        code.addEventListener("click", () => getSelection()?.isCollapsed !== false && void copy(code))
      }
      if (code.closest("td") !== null) continue
      const button = document.createElement("button")
      button.type = "button"
      button.className = "copy"
      button.textContent = tr("Copy")
      button.setAttribute("aria-label", isCall ? tr("Copy this call") : `${tr("Copy")} ${code.textContent}`)
      button.addEventListener("click", () => void copy(code))
      code.after(" ", button)
    }
  }
  addTo(document.querySelector("main"))
  // A secret has no id, and what is told of it does not repeat it.
  const addToField = (secret) => {
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = tr("Copy")
    button.setAttribute("aria-label", `${tr("Copy")} ${secret.labels[0]?.textContent ?? ""}`)
    button.addEventListener("click", async () => {
      const done = await navigator.clipboard.writeText(secret.value).then(
        () => true,
        () => false
      )
      told.textContent = done ? tr("Copied") : tr("The browser did not allow copying.")
      button.textContent = done ? tr("Copied") : tr("Copy")
      if (!done) secret.select()
    })
    secret.after(button)
  }
  const addToFields = (place) => {
    for (const field of place.querySelectorAll(".secret, .copied-whole")) addToField(field)
  }
  addToFields(document)
  document.addEventListener("taken", ({ detail }) => {
    const part = document.getElementById(detail)
    addTo(part)
    addToFields(part)
  })
}

/** The first visit is read in the browser's zone, until the reader chooses one at the foot of a page. */
const zone = async () => {
  if (document.body.dataset.zone !== "unknown") return
  const its = Intl.DateTimeFormat().resolvedOptions().timeZone
  const address = new URL(location.href)
  address.searchParams.set("time_zone", its)
  const answer = await fetch(address).catch(() => undefined)
  const shown = document.getElementById("time_zone")?.value ?? "UTC"
  if (answer?.ok !== true || its === shown || sessionStorage.getItem("carteiro zone") !== null) return
  // A browser that does not keep the answer's cookie loads its page again once, not for ever.
  sessionStorage.setItem("carteiro zone", its)
  location.reload()
}

/**
 * Groups of the menu stay as the reader left them. Where the menu is behind its button they wait until it opens: to read what is
 * kept, and to lay the page out for the current entry, holds a slow phone up.
 */
const groups = () => {
  const menu = document.getElementById("menu")
  const isBeside = matchMedia("(min-width: 80rem)")
  if (isBeside.matches) return restoreGroups()
  menu?.addEventListener("beforetoggle", restoreGroups, { once: true })
  isBeside.addEventListener("change", restoreGroups, { once: true })
}

const restoreGroups = () => {
  for (const group of document.querySelectorAll("#menu details")) {
    const name = `carteiro menu ${group.id}`
    const isClosed = localStorage.getItem(name) === "closed"
    if (isClosed && group.querySelector("[aria-current]") === null) group.open = false
    group.addEventListener("toggle", () => {
      if (group.open) localStorage.removeItem(name)
      else localStorage.setItem(name, "closed")
    })
  }
  requestAnimationFrame(() => document.querySelector("#menu [aria-current]")?.scrollIntoView({ block: "nearest" }))
}

times()
copying()
palette()
groups()
// No part of the page waits for it.
const whenIdle = globalThis.requestIdleCallback ?? setTimeout
whenIdle(() => void zone())
