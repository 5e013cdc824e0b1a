import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

const path = "/v1/phone-numbers/orders"

/** Numbers that a key orders and that people decide about. */
export const orders = async ({ call, dev, main, page, steps, views }: Scene): Promise<void> => {
  const { api_key: key, environment_id } = dev.production
  const order = async (purpose: string) => {
    const { body, status } = await call("POST", path, {
      key,
      body: { ddd: "11", display_name: "Loja Aurora", purpose },
      idempotencyKey: purpose
    })
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.status, "awaiting_approval")
    return body as { readonly id: string; readonly approval_url: string }
  }
  const read = async (id: string) => (await call("GET", `${path}/${id}`, { key })).body

  await steps.step("approves an order of a number, told what will be charged (M-ORD-12, M-ORD-14)", async () => {
    const made = await order("The shop in the north.")
    await page.goto(made.approval_url)
    assert.match(await main(), /The shop in the north\.[\s\S]*R\$ 49,90/)
    await views.look("order", new URL(made.approval_url).pathname)
    await press(page.getByRole("button", { name: "Approve" }))
    assert.match(await main(), /Approved\. The order shows how far the delivery of its number is/)
    const approved = await read(made.id)
    assert.equal(typeof approved.approved_at, "string")
    assert.equal(typeof approved.phone_number_id, "string")
    await views.look("order-approved", new URL(page.url()).pathname)
    await page.goto(`/dashboard/phone-numbers?environment=${environment_id}`)
    assert.match(await main(), /Loja Aurora/)
    await views.look("numbers", `/dashboard/phone-numbers?environment=${environment_id}`)
    await views.look("number", `/dashboard/phone-numbers/${environment_id}/${approved.phone_number_id}`)
  })

  await steps.step("declines another one, which charges nothing (M-ORD-20)", async () => {
    const made = await order("The shop in the south.")
    await page.goto("/dashboard/phone-orders")
    await views.look("orders", "/dashboard/phone-orders")
    await page.goto(made.approval_url)
    await page.getByRole("link", { name: "Decline…" }).click()
    await views.look("order-decline", new URL(page.url()).pathname)
    await page.getByLabel("Type Loja Aurora to confirm").fill("Loja Aurora")
    await press(page.getByRole("button", { name: "Decline" }))
    assert.match(await main(), /Declined\. Nothing is charged/)
    assert.equal((await read(made.id)).status, "declined")
  })
}
