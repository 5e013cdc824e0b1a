import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** The way in, and how the keyboard gets around. */
export const comingIn = async ({ dev, heading, main, page, steps }: Scene): Promise<void> => {
  await steps.step("a link signs in once, by its button (gaps-1 C)", async () => {
    await page.goto("/dashboard/api-keys")
    assert.equal(await heading(), "Sign in")
    await page.goto(dev.dashboard.sign_in_url)
    await page.goto(dev.dashboard.sign_in_url)
    await press(page.getByRole("button", { name: "Sign in" }))
    assert.equal(await heading(), "API keys")
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "carteiro_session")
    assert.deepEqual([cookie?.httpOnly, cookie?.secure, cookie?.sameSite, cookie?.path], [true, true, "Lax", "/"])
    await page.goto(dev.dashboard.sign_in_url)
    assert.match(await main(), /used already/)
  })

  await steps.step("the keyboard reaches the content first and shows where it is", async () => {
    await page.goto("/dashboard")
    await page.keyboard.press("Tab")
    const focused = page.locator(":focus")
    assert.equal(await focused.textContent(), "Skip to the content")
    assert.equal(await focused.evaluate((element) => getComputedStyle(element).outlineStyle), "solid")
    await page.keyboard.press("Enter")
    assert.equal(await page.locator(":focus").getAttribute("id"), "main")
  })
}

/** Signs in, for a story that is about something else. */
export const signIn = async ({ dev, page }: Scene): Promise<void> => {
  await page.goto(dev.dashboard.sign_in_url)
  await press(page.getByRole("button", { name: "Sign in" }))
}

/** The way out. */
export const goingOut = async ({ heading, page, steps, views }: Scene): Promise<void> => {
  await steps.step("signing out ends the session", async () => {
    await page.goto("/dashboard")
    await press(page.getByRole("button", { name: "Sign out" }))
    assert.equal(await heading(), "Sign in")
    await views.look("sign-in", "/dashboard/sign-in")
    await page.goto("/dashboard")
    assert.equal(await heading(), "Sign in")
  })
}
