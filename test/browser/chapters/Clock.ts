import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** The time of a sandbox: what is due next, and the clock turned by a button. */
export const clock = async ({ environment, main, page, steps, views }: Scene): Promise<void> => {
  await steps.step("tells a sandbox's time and what is due next, and turns its clock", async () => {
    const address = `/dashboard/sandbox-clock?environment=${environment}`
    await page.goto(address)
    assert.match(await main(), /Ahead by\s+0 s/)
    await press(page.getByRole("button", { name: "+1 hour" }))
    await press(page.getByRole("button", { name: "Turn the clock ahead" }))
    // The page loads itself anew until the advance has settled.
    await page.getByText(/^(?:1 h|59 min)/).waitFor()
    await views.look("clock", address)
    await page.goto(`/dashboard/messages?environment=${environment}`)
    assert.match(await main(), /The time of this sandbox is/)
  })
  await steps.step("asks for the project's slug before a sandbox is emptied", async () => {
    await page.goto(`/dashboard/sandbox-clock?environment=${environment}`)
    await page.getByRole("link", { name: "Empty this sandbox" }).click()
    await page.getByLabel(/^Type .* to confirm$/).fill("another-project")
    await press(page.getByRole("button", { name: "Empty this sandbox" }))
    assert.match(await main(), /That is not /)
  })
}
