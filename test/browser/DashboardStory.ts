import { strict as assert } from "node:assert"
import { chat } from "./chapters/Chat.ts"
import { clock } from "./chapters/Clock.ts"
import { connecting } from "./chapters/Connecting.ts"
import { devices } from "./chapters/Devices.ts"
import { endpoints } from "./chapters/Endpoints.ts"
import { everyPage } from "./chapters/EveryPage.ts"
import { frame } from "./chapters/Frame.ts"
import { gallery } from "./chapters/Gallery.ts"
import { keyboard } from "./chapters/Keyboard.ts"
import { live } from "./chapters/Live.ts"
import { messages } from "./chapters/Messages.ts"
import { batches, contacts, media, templates, writtenBatch, writtenTemplate } from "./chapters/Messaging.ts"
import { money } from "./chapters/Money.ts"
import { orders } from "./chapters/Orders.ts"
import { payments } from "./chapters/Payments.ts"
import { people } from "./chapters/People.ts"
import { keysAndProjects } from "./chapters/Projects.ts"
import { comingIn, goingOut } from "./chapters/SigningIn.ts"
import { webhooks } from "./chapters/Webhooks.ts"
import { openScene, type Stage } from "./Scene.ts"

/** An owner's day at the dashboard, from the sign-in link to signing out. */
export const dashboardStory = async (stage: Stage): Promise<void> => {
  const scene = await openScene(stage)
  const { steps, views } = scene
  await comingIn(scene)
  await chat(scene)
  await frame(scene)
  await gallery(scene)
  await devices(scene)
  await keysAndProjects(scene)
  await webhooks(scene)
  await endpoints(scene)
  await messages(scene)
  await live(scene)
  await templates(scene)
  await writtenTemplate(scene)
  await batches(scene)
  await writtenBatch(scene)
  await media(scene)
  await contacts(scene)
  await orders(scene)
  await connecting(scene)
  await money(scene)
  await payments(scene)
  await clock(scene)
  await people(scene)
  await keyboard(scene)
  await everyPage(scene)
  await goingOut(scene)
  await steps.step("no page asked for anything the policy forbids", async () => {
    // The second one tells that a person, or a test, took a field before the page did.
    const told = views.complaints().filter((text) => !/status of 4\d\d|Autofocus processing was blocked/.test(text))
    assert.deepEqual(told, [])
  })
}
