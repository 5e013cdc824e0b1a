import { strict as assert } from "node:assert"
import { choose, enter, tabTo, tick, typeInto } from "../Keys.ts"
import type { Scene } from "../Scene.ts"

/** The jobs that no other chapter does by keys alone, each from the menu on and without a script. */
export const keyboard = async ({ call, dev, heading, main, page, steps, until }: Scene): Promise<void> => {
  const open = async (name: string) => {
    await page.goto("/dashboard")
    await tabTo(page.getByRole("button", { name: "Menu" }))
    await page.keyboard.press("Enter")
    await enter(page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true }))
  }
  const button = (name: string | RegExp) => page.getByRole("button", { name })

  await steps.step("by keys alone: writes to the sandbox as a customer and answers", async () => {
    await open("Chat")
    const customer = page.getByRole("radio", { name: "As the customer" })
    // A conversation that waits opens on the side of the business.
    if (!(await customer.isChecked())) {
      await tabTo(page.getByRole("radio", { name: "As the business" }))
      await page.keyboard.press("ArrowLeft")
    }
    await typeInto(page.getByLabel("Write as the customer"), "Tem em azul?")
    await enter(button("Send as the customer"))
    assert.match(await main(), /Tem em azul\?/)
    await tabTo(customer)
    await page.keyboard.press("ArrowRight")
    await typeInto(page.getByLabel("Text of the business"), "Temos.")
    await enter(button("Send as the business"))
    await until(/Temos\.[\s\S]*read/)
  })

  await steps.step("by keys alone: makes a key and revokes it", async () => {
    await open("API keys")
    await typeInto(page.getByLabel("Name", { exact: true }), "By keys")
    await tick(page.getByLabel("webhooks:write"))
    await enter(button("Create the key"))
    const secret = await page.getByLabel("API key").inputValue()
    assert.equal((await call("GET", "/v1/me", { key: secret })).status, 200)
    await open("API keys")
    await enter(page.getByRole("link", { name: "Revoke By keys" }))
    await typeInto(page.getByLabel("to confirm"), "By keys")
    await enter(button("Revoke the key"))
    assert.equal((await call("GET", "/v1/me", { key: secret })).status, 401)
  })

  await steps.step("by keys alone: approves an order", async () => {
    const made = await call("POST", "/v1/phone-numbers/orders", {
      key: dev.production.api_key,
      body: { ddd: "11", display_name: "Loja Aurora", purpose: "The shop by the sea." },
      idempotencyKey: "by keys"
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    await open("Number orders")
    await enter(page.locator(`main a[href$="${String(made.body.id)}"]`).first())
    assert.match(await main(), /The shop by the sea/)
    await enter(button("Approve"))
    assert.match(await main(), /Approved\. The order shows how far the delivery of its number is/)
  })

  await steps.step("by keys alone: changes the plan and tops up", async () => {
    await open("Billing")
    await enter(page.locator('main a[href="/dashboard/billing/plan"]').first())
    await enter(page.locator('main a[href$="/billing/plan/change?plan=plo_growth"]'))
    assert.match((await heading()) ?? "", /^Change to /)
    await enter(page.locator("main button").first())
    assert.match(page.url(), /\/dashboard\/billing\/plan\?done=saved$/, await main())
    // The page of the code loads itself anew while it waits, which would break off what comes next.
    const other = await page.context().newPage()
    await other.goto("/dashboard/billing/top-up")
    await typeInto(other.getByLabel("Amount in BRL"), "20,00")
    await enter(other.getByRole("button", { name: "Show the Pix code" }))
    await other.getByText("Pix code to copy").waitFor()
    await other.close()
  })

  await steps.step("by keys alone: finds a request by its id", async () => {
    const refused = await call("GET", "/v1/messages/msg_y", { key: dev.sandbox.api_key })
    const { request_id } = refused.body.error as { readonly request_id: string }
    const field = page.getByLabel("Find anything")
    await page.goto("/dashboard")
    // The log is written behind the answer. What an id names opens by itself.
    for (const begun = Date.now(); !/404[\s\S]*message_not_found/.test(await main()); ) {
      assert.ok(Date.now() - begun < 60_000, "no search found the request")
      await typeInto(field, request_id)
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")])
    }
  })

  await steps.step("by keys alone: narrows a list", async () => {
    await open("Messages")
    await choose(page.getByRole("search", { name: "Filters" }).getByLabel("Status"), "read")
    await enter(button("Show"))
    assert.match(page.url(), /status=read/)
  })
}
