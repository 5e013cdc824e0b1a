import { pictures } from "./chapters/Pictures.ts"
import { signIn } from "./chapters/SigningIn.ts"
import { tenJobs } from "./chapters/TenJobs.ts"
import { openScene, type Stage } from "./Scene.ts"
import { openShop } from "./Shop.ts"

/** A product of its own, on which people do what they come for. */
export const jobsStory = async (stage: Stage): Promise<void> => {
  const scene = await openScene(stage)
  await signIn(scene)
  await tenJobs(scene)
}

/** A product of its own with a shop on it, and the pictures of the documentation: all, or those whose names hold a word. */
export const pictureStory = async (stage: Stage, words: ReadonlyArray<string>): Promise<void> => {
  const scene = await openScene(stage)
  await signIn(scene)
  await stage.steps.step(
    "opens a shop",
    async () => {
      const shop = await openShop(scene)
      await pictures(scene, shop, words)
    },
    1_800_000
  )
}
