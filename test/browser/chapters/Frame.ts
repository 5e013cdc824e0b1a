import { strict as assert } from "node:assert"
import type { Scene } from "../Scene.ts"

/** What stands around every page: the switch of project and environment. */
export const frame = async ({ dev, main, page, steps, views }: Scene): Promise<void> => {
  const place = page.getByRole("region", { name: "Project and environment" })

  await steps.step("switches to production and stays there until it is switched back, without a script", async () => {
    await page.goto("/dashboard/messages")
    assert.match(await place.innerText(), /Nothing here reaches a real phone/)
    await place.getByRole("link", { name: "Production" }).click()
    assert.match(page.url(), new RegExp(`/dashboard/messages\\?environment=${dev.production.environment_id}$`))
    for (const path of ["/dashboard/contacts", "/dashboard/members", "/dashboard"]) {
      await page.goto(path)
      assert.match(await place.innerText(), /Real phones and real money/, path)
    }
    await views.look("production", `/dashboard/contacts?environment=${dev.production.environment_id}`)
    await place.getByRole("link", { name: "Sandbox" }).click()
    await page.goto("/dashboard/contacts")
    assert.match(await place.innerText(), /Nothing here reaches a real phone/)
  })

  await steps.step("leads back up by the breadcrumbs", async () => {
    await page.goto("/dashboard/members")
    await page.getByRole("link", { name: "Demo Owner" }).click()
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" })
    await crumbs.getByRole("link", { name: "Members" }).click()
    assert.match(await main(), /^Settings\s+Members/)
  })
}
