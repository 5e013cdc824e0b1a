import { strict as assert } from "node:assert"
import { press, type Scene } from "../Scene.ts"

/** Keys, projects and their switches. */
export const keysAndProjects = async ({
  call,
  dev,
  environment,
  key,
  main,
  page,
  steps,
  views
}: Scene): Promise<void> => {
  await steps.step("creates a key that administers keys, shows it once, and revokes it (gaps-1 C)", async () => {
    await page.goto(`/dashboard/api-keys?environment=${environment}`)
    await page.getByLabel("Name", { exact: true }).fill("Deployment")
    await page.getByLabel("api_keys:admin").check()
    await press(page.getByRole("button", { name: "Create the key" }))
    const secret = await page.getByLabel("API key").inputValue()
    assert.match(secret, /^svc_sbx_/)
    assert.equal((await call("GET", "/v1/api-keys", { key: secret })).status, 200)
    await page.goto("/dashboard/api-keys")
    assert.doesNotMatch(await page.content(), new RegExp(secret))
    await page.getByRole("link", { name: "Revoke Deployment" }).click()
    await page.getByLabel("to confirm").fill("Deployment")
    await press(page.getByRole("button", { name: "Revoke the key" }))
    assert.match(await main(), /Revoked/)
    assert.equal((await call("GET", "/v1/api-keys", { key: secret })).status, 401)
    await views.look("keys", `/dashboard/api-keys?environment=${environment}`)
  })

  await steps.step("creates, archives, restores and deletes a project (gaps-1 C)", async () => {
    await page.goto("/dashboard/projects")
    await page.getByLabel("Name").fill("Loja Norte")
    await press(page.getByRole("button", { name: "Create the project" }))
    assert.match(await main(), /you are in its sandbox/)
    assert.match(await page.getByRole("region", { name: "Project and environment" }).innerText(), /Loja Norte/)
    await page.goto("/dashboard/projects")
    await page.getByRole("main").getByRole("link", { name: "Loja Norte" }).click()
    await page.getByRole("link", { name: "Archive…" }).click()
    await press(page.getByRole("button", { name: "Archive the project" }))
    assert.match(await main(), /archived/)
    await press(page.getByRole("button", { name: "Restore" }))
    await page.getByRole("link", { name: "Delete…" }).click()
    await page.getByLabel("Type loja-norte to confirm").fill("loja")
    await press(page.getByRole("button", { name: "Delete the project" }))
    assert.match(await main(), /That is not loja-norte/)
    await page.getByLabel("Type loja-norte to confirm").fill("loja-norte")
    await press(page.getByRole("button", { name: "Delete the project" }))
    assert.match(await main(), /Deleted/)
    await views.look("projects", "/dashboard/projects")
  })

  await steps.step("switches a family off and the API says so (gaps-1 N)", async () => {
    const flip = async (on: boolean) => {
      await page.goto(`/dashboard/projects/${dev.project_id}`)
      await page.getByRole("group", { name: "Switched on in sandbox" }).getByLabel("Messaging").setChecked(on)
      await press(page.getByRole("button", { name: "Save the switches" }).first())
      assert.match(await main(), /Switched/)
    }
    await flip(false)
    const refused = await call("POST", "/v1/messages", { key, body: message })
    assert.equal((refused.body.error as { readonly code: string }).code, "feature_disabled")
    await views.look("project", `/dashboard/projects/${dev.project_id}`)
    await flip(true)
  })

  await steps.step("a form that is refused points at the field, and an address that is no page says so", async () => {
    await page.goto("/dashboard/projects")
    await page.getByLabel("Name").fill("Twice")
    await page.getByLabel("Slug (optional)").fill("Not a slug")
    await press(page.getByRole("button", { name: "Create the project" }))
    assert.equal(await page.locator(":focus").getAttribute("id"), "slug")
    assert.match(await main(), /A slug has lowercase letters/)
    await views.look("nothing", "/dashboard/nothing")
  })
}

/** Never accepted while messaging is off, whatever its sender. */
const message = {
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: "pn_00000000000000000000000000" },
  recipient: { type: "phone_e164", id: "+5511999998888" },
  message: { type: "text", text: { body: "Olá!" } }
}
