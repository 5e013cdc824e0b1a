/// <reference lib="dom" />
import type { Locator } from "playwright-core"

// A person without a mouse: Tab, Enter, Space, arrows and letters, and nothing else.

const mostPresses = 400

/** Presses a key until something holds; throws when it never does. */
const pressUntil = async (control: Locator, key: string, holds: () => Promise<boolean>): Promise<void> => {
  for (let presses = 0; presses < mostPresses; presses++) {
    if (await holds()) return
    await control.page().keyboard.press(key)
  }
  throw new Error(`${mostPresses} times ${key} never did it: ${await control.evaluate((element) => element.outerHTML)}`)
}

/** Goes to a control with Tab. */
export const tabTo = (control: Locator): Promise<void> =>
  pressUntil(control, "Tab", () => control.evaluate((element) => element === document.activeElement))

/** Goes to a field and writes into it, instead of whatever stands there. */
export const typeInto = async (control: Locator, text: string): Promise<void> => {
  await tabTo(control)
  await control.page().keyboard.press("Control+a")
  await control.page().keyboard.type(text)
}

/** Goes to a select and takes one of its choices with the arrows. */
export const choose = async (control: Locator, label: string): Promise<void> => {
  await tabTo(control)
  await control.page().keyboard.press("Home")
  await pressUntil(control, "ArrowDown", () =>
    control.evaluate(
      (element, wanted) => (element as HTMLSelectElement).selectedOptions[0]?.label.startsWith(wanted) === true,
      label
    )
  )
}

/** Goes to a box and ticks it. */
export const tick = async (control: Locator): Promise<void> => {
  await tabTo(control)
  await control.page().keyboard.press("Space")
}

/** Goes to a link or a button, takes it, and waits for the page that it leads to. */
export const enter = async (control: Locator): Promise<void> => {
  await tabTo(control)
  await Promise.all([control.page().waitForEvent("load"), control.page().keyboard.press("Enter")])
}
