import type { Locator, Page } from "playwright-core"

/**
 * A person at a page, whose clicks and forms sent by Enter are counted. What is typed, and the Tab that leads to its field,
 * is not; a choice in a list and the choice of a file are a click each.
 */
export interface Hand {
  /** Clicks what leads to another page, and waits for it. */
  go(control: Locator): Promise<void>
  /** Clicks what stays on the page, such as a box. */
  click(control: Locator): Promise<void>
  choose(control: Locator, label: string): Promise<void>
  file(control: Locator, name: string, text: string): Promise<void>
  /** Writes into the field and sends its form by Enter. */
  send(control: Locator, text: string): Promise<void>
  /** Clicks and forms sent so far. */
  count(): number
}

/** Returns a hand that has done nothing yet. */
export const handAt = (page: Page): Hand => {
  let done = 0
  const counted = async (work: Promise<unknown>): Promise<void> => {
    done++
    await work
  }
  const leading = (work: Promise<unknown>) => counted(Promise.all([page.waitForEvent("load"), work]))
  return {
    go: (control) => leading(control.click()),
    click: (control) => counted(control.click()),
    choose: (control, label) => counted(control.selectOption({ label })),
    file: (control, name, text) =>
      counted(control.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) })),
    send: async (control, text) => {
      await control.fill(text)
      await leading(control.press("Enter"))
    },
    count: () => done
  }
}
