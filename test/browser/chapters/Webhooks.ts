import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** Endpoints, deliveries and attempts. */
export const webhooks = async ({
  call,
  dev,
  environment,
  hooks,
  key,
  main,
  page,
  steps,
  until,
  views
}: Scene): Promise<void> => {
  await steps.step("shows endpoints with health, deliveries and attempts, and sends again (A-WHV)", async () => {
    const subscribed_events = ["message.received"]
    for (const path of ["/well", "/ill"]) {
      const made = await call("POST", "/v1/webhook-endpoints", {
        key,
        body: { url: `${hooks}${path}`, subscribed_events }
      })
      assert.equal(made.status, 201)
    }
    const phone = (dev.sandbox as { readonly phone_number_id?: string }).phone_number_id
    const inbound = { channel: "chatapp", from: "+5511999998888", to: phone, type: "text", text: { body: "Oi" } }
    assert.ok((await call("POST", "/v1/sandbox/inbound-messages", { key, body: inbound })).status < 300)
    await page.goto(`/dashboard/webhooks?environment=${environment}`)
    await until(/delivered[\s\S]*503|503[\s\S]*delivered/)
    await views.look("webhooks", `/dashboard/webhooks?environment=${environment}`)
    await page.getByRole("link", { name: `${hooks}/ill` }).click()
    await views.look("endpoint", new URL(page.url()).pathname)
    await page.getByRole("link", { name: "message.received" }).first().click()
    await press(page.getByRole("button", { name: "Send again" }))
    assert.match(await main(), /A new attempt is on its way/)
    // While an attempt is under way, the page loads itself again, which would break off the next one.
    await until(/^(?![\s\S]*\bpending\b)/)
    await views.look("delivery", new URL(page.url()).pathname)
  })
}
