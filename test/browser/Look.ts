/// <reference lib="dom" />
import type { Page } from "playwright-core"

/** What a look at a page found wrong, in words. */
export type Findings = ReadonlyArray<string>

/**
 * Everything about the shown page that can be checked without a person: each control has a name, each text has a
 * contrast of 4.5 to what is behind it, the edges of fields and the ring around what has the focus one of 3,
 * nothing is wider than the window, there is one heading of the first level, and no id is there twice.
 */
export const lookAt = (page: Page): Promise<Findings> =>
  page.evaluate(() => {
    const found: Array<string> = []
    // What stands behind a summary is looked at too.
    for (const details of document.querySelectorAll("details")) details.open = true

    const shown = (element: Element) => {
      const box = element.getBoundingClientRect()
      return box.width > 1 && box.height > 1 && getComputedStyle(element).visibility !== "hidden"
    }

    for (const control of document.querySelectorAll<HTMLInputElement>("input:not([type=hidden]), select, textarea")) {
      if ((control.labels?.length ?? 0) === 0) found.push(`no label: ${control.name}`)
    }
    for (const control of document.querySelectorAll("button, a")) {
      if ((control.textContent ?? "").trim() === "") found.push(`no text: ${control.outerHTML.slice(0, 80)}`)
    }

    type Colour = readonly [red: number, green: number, blue: number, alpha: number]
    const colour = (text: string): Colour => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
      return [red, green, blue, alpha]
    }
    const light = ([red, green, blue]: Colour) => {
      const part = (value: number) => {
        const share = value / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      }
      return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    }
    const context = (element: Element | null): Colour => {
      for (let here = element; here !== null; here = here.parentElement) {
        const behind = colour(getComputedStyle(here).backgroundColor)
        if (behind[3] === 1) return behind
      }
      return [255, 255, 255, 1]
    }
    const contrastOf = (front: string, behind: Colour) => {
      const [one, other] = [light(colour(front)), light(behind)]
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    }
    const tooFaint = (what: string, contrast: number, least: number) => {
      if (contrast < least) found.push(`contrast ${contrast.toFixed(2)}: ${what}`)
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (element === null || (node.textContent ?? "").trim() === "" || !shown(element)) continue
      const { color } = getComputedStyle(element)
      tooFaint((node.textContent ?? "").trim().slice(0, 40), contrastOf(color, context(element)), 4.5)
    }
    for (const control of document.querySelectorAll<HTMLElement>("a, button, input, select, textarea, summary")) {
      if (!shown(control) && !control.matches(".skip")) continue
      const name = `${control.localName} ${(control.textContent ?? "").trim().slice(0, 40)}`
      // A button is known by its words; a field is known by its edge alone.
      if (control.matches("input:not([type=checkbox]), select, textarea")) {
        const around = context(control.parentElement)
        tooFaint(`edge of ${name}`, contrastOf(getComputedStyle(control).borderTopColor, around), 3)
      }
      control.focus({ focusVisible: true })
      const ring = getComputedStyle(control)
      if (ring.outlineStyle === "none") found.push(`no ring: ${name}`)
      else tooFaint(`ring of ${name}`, contrastOf(ring.outlineColor, context(control.parentElement)), 3)
    }

    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.push(`${root.scrollWidth} wide in a window of ${root.clientWidth}`)
    if (document.querySelectorAll("h1").length !== 1) found.push("not one h1")
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id)
    for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) found.push(`id twice: ${id}`)
    return found
  })
