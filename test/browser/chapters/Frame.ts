/// <reference lib="dom" />
import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** What stands around every page: the switch of project and environment. */
export const frame = async ({ browser, call, dev, key, main, page, steps, views }: Scene): Promise<void> => {
  const place = page.getByRole("region", { name: "Project and environment" })

  await steps.step("switches to production and stays there until it is switched back, without a script", async () => {
    await page.goto("/dashboard/messages")
    assert.match(await place.innerText(), /Nothing here reaches a real phone/)
    await place.getByRole("link", { name: "Production" }).click()
    assert.match(page.url(), new RegExp(`/dashboard/messages\\?environment=${dev.production.environment_id}$`))
    for (const path of ["/dashboard/contacts", "/dashboard/api-keys", "/dashboard"]) {
      await page.goto(path)
      assert.match(await place.innerText(), /Real phones and real money/, path)
    }
    await views.look("production", `/dashboard/contacts?environment=${dev.production.environment_id}`)
    await place.getByRole("link", { name: "Sandbox" }).click()
    await page.goto("/dashboard/contacts")
    assert.match(await place.innerText(), /Nothing here reaches a real phone/)
  })

  await steps.step(
    "on a phone the first row of a list and the composer of a chat stand in the first screen",
    async () => {
      const from = "+5511912345678"
      const said = { channel: "chatapp", from, to: dev.sandbox.phone_number_id, type: "text", text: { body: "Oi" } }
      const arrived = await call("POST", "/v1/sandbox/inbound-messages", { key, body: said })
      assert.ok(arrived.status < 300, JSON.stringify(arrived.body))
      const viewport = { width: 375, height: 812 }
      const context = await browser.newContext({
        baseURL: dev.base_url,
        viewport,
        hasTouch: true,
        javaScriptEnabled: false
      })
      await context.addCookies(await page.context().cookies())
      const phone = await context.newPage()
      const endOf = async (selector: string) => {
        const box = await phone.locator(selector).first().boundingBox()
        return box === null ? assert.fail(`${selector} is not there`) : box.y + box.height
      }
      await phone.goto("/dashboard/messages")
      assert.ok((await endOf("tbody tr")) < 420, `the first row ends at ${await endOf("tbody tr")}`)
      assert.equal(await phone.getByLabel("Direction").isVisible(), false)
      await phone.getByRole("checkbox", { name: "Filters" }).check()
      assert.equal(await phone.getByLabel("Direction").isVisible(), true)
      await phone.goto("/dashboard/chat")
      assert.equal(
        await phone.getByLabel("Customer", { exact: true }).isVisible(),
        true,
        "a new customer is written to"
      )
      await phone.goto(`/dashboard/chat?customer=${encodeURIComponent(from)}`)
      assert.ok((await endOf(".composer")) <= viewport.height, `the composer ends at ${await endOf(".composer")}`)
      await phone.goto(`/dashboard/templates/${dev.sandbox.environment_id}/new`)
      await phone.getByRole("link", { name: "Preview" }).click()
      assert.ok((await endOf("h2#preview")) <= 200, "the link does not lead to the preview")
      await context.close()
    }
  )

  await steps.step("finds pages and things by the palette, with the keyboard alone", async () => {
    const context = await browser.newContext({ baseURL: dev.base_url })
    await context.addCookies(await page.context().cookies())
    const keyed = await context.newPage()
    const complaints: Array<string> = []
    keyed.on("console", (message) => complaints.push(message.text()))
    keyed.on("pageerror", (error) => complaints.push(String(error)))
    await keyed.goto("/dashboard/billing")
    await keyed.keyboard.press("/")
    const field = keyed.getByRole("combobox", { name: "Find anything" })
    await field.fill("cont")
    await keyed.getByRole("option", { name: /Contacts/ }).waitFor()
    await keyed.keyboard.press("Enter")
    await keyed.waitForURL(/\/dashboard\/contacts/)
    await keyed.keyboard.press("Control+k")
    await field.fill("+55 11 91234-5678")
    await keyed.getByRole("option", { name: /Last message with this phone/ }).waitFor()
    await keyed.keyboard.press("ArrowDown")
    await keyed.keyboard.press("ArrowUp")
    await keyed.keyboard.press("Escape")
    assert.equal(await keyed.locator("dialog.palette").isVisible(), false)
    await keyed.keyboard.press("Control+k")
    await field.fill(dev.project_id)
    await keyed.getByRole("option", { name: /Demo Project/ }).waitFor()
    await keyed.keyboard.press("Enter")
    await keyed.waitForURL(new RegExp(`/dashboard/projects/${dev.project_id}$`))
    const refused = await call("GET", "/v1/messages/msg_x", { key })
    await keyed.keyboard.press("Control+k")
    const { request_id } = refused.body.error as { readonly request_id: string }
    const found = keyed.getByRole("option", { name: request_id })
    // The log is written behind the answer: who asks at once asks again.
    for (const begun = Date.now(); (await found.count()) === 0 && Date.now() - begun < 60_000; ) {
      await field.fill("")
      await field.fill(request_id)
      await found.waitFor({ timeout: 2000 }).catch(() => undefined)
    }
    await keyed.keyboard.press("Enter")
    await keyed.waitForURL(/\/dashboard\/request-logs\//)
    assert.match(await keyed.locator("main").innerText(), /404[\s\S]*message_not_found/)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  await steps.step("says how long ago things were, and copies ids", async () => {
    const context = await browser.newContext({
      baseURL: dev.base_url,
      permissions: ["clipboard-read", "clipboard-write"]
    })
    await context.addCookies(await page.context().cookies())
    const scripted = await context.newPage()
    await scripted.goto("/dashboard/members")
    const time = scripted.locator("main time").first()
    assert.match((await time.textContent()) ?? "", /ago|now/)
    assert.match((await time.getAttribute("title")) ?? "", /UTC$/)
    await scripted.goto(`/dashboard/projects/${dev.project_id}`)
    await scripted.getByRole("button", { name: `Copy ${dev.project_id}` }).click()
    await scripted.getByText(`Copied ${dev.project_id}`).waitFor()
    assert.equal(await scripted.evaluate(() => navigator.clipboard.readText()), dev.project_id)
    await context.close()
  })

  await steps.step("tells who changed what, without a script", async () => {
    await page.goto(`/dashboard/projects/${dev.project_id}`)
    await page.getByLabel("Default language").selectOption("en_US")
    await press(page.getByRole("button", { name: "Save the settings" }))
    await page.goto("/dashboard/audit")
    assert.match(await main(), /Demo Owner[\s\S]*project\.configured[\s\S]*default language: pt_BR en_US/)
    await views.look("audit", "/dashboard/audit")
  })

  await steps.step("leads back up by the breadcrumbs", async () => {
    await page.goto("/dashboard/members")
    await page.getByRole("link", { name: "Demo Owner" }).click()
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" })
    await crumbs.getByRole("link", { name: "Members" }).click()
    assert.match(await main(), /^Settings\s+Members/)
  })
}
