import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** What people and operators do for each other. */
export const people = async ({
  browser,
  call,
  command,
  dev,
  environment,
  key,
  main,
  page,
  steps,
  views
}: Scene): Promise<void> => {
  await steps.step("shows feedback with the answer an operator gave by command (gaps-1 H)", async () => {
    const report = { message: "The docs of listen do not say how long a page waits.", context: { page: "/docs" } }
    const sent = await call("POST", "/v1/feedback", { key, body: report, idempotencyKey: "story" })
    const id = String(sent.body.id)
    const summary = "The guide to listening says it now: 25 seconds."
    const resolved = await command("feedback", "resolve", id, "--disposition", "documented", "--summary", summary)
    assert.equal(resolved.status, "resolved")
    await page.goto(`/dashboard/feedback/${environment}/${id}`)
    assert.match(await main(), /The guide to listening says it now/)
    await views.look("report", `/dashboard/feedback/${environment}/${id}`)
    await views.look("feedback", `/dashboard/feedback?environment=${environment}`)
    await views.look("overview", "/dashboard")
  })

  await steps.step("adds a member, whose link signs them in, and deactivates them (decision 0007)", async () => {
    await page.goto("/dashboard/members")
    await page.getByRole("textbox", { name: "Name" }).fill("Rui Sá")
    await page.getByRole("textbox", { name: "Email" }).fill("rui@demo.test")
    await page.getByRole("combobox", { name: "Role" }).selectOption("admin")
    await press(page.getByRole("button", { name: "Add the member" }))
    const link = await page.getByLabel("Sign-in link").inputValue()
    const other = await browser.newPage({ baseURL: dev.base_url, javaScriptEnabled: false })
    await other.goto(link)
    await press(other.getByRole("button", { name: "Sign in" }))
    assert.match(await other.locator("header").innerText(), /Rui Sá, admin/)
    await views.look("members", "/dashboard/members")
    await page.goto("/dashboard/members")
    await page.getByRole("link", { name: "Rui Sá" }).click()
    await views.look("member", new URL(page.url()).pathname)
    await page.getByRole("link", { name: "Deactivate…" }).click()
    await views.look("deactivate", new URL(page.url()).pathname)
    await page.getByLabel("Type Rui Sá to confirm").fill("Rui Sá")
    await press(page.getByRole("button", { name: "Deactivate" }))
    assert.match(await main(), /Every session of theirs has ended/)
    await other.reload()
    assert.equal((await other.locator("h1").textContent())?.trim(), "Sign in")
    await other.close()
  })

  await steps.step("a suspension is shown and honored on the next request A-AUTH-11", async () => {
    await command("organizations", "suspend", dev.organization_id)
    assert.equal((await call("GET", "/v1/me", { key })).status, 403)
    await page.goto("/dashboard")
    assert.match(await main(), /This organization is suspended/)
    await views.look("suspended", "/dashboard")
    await command("organizations", "resume", dev.organization_id)
    assert.equal((await call("GET", "/v1/me", { key })).status, 200)
  })
}
