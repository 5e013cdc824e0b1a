import { pictures } from "./chapters/Pictures.ts"
import { rating } from "./chapters/Rating.ts"
import { signIn } from "./chapters/SigningIn.ts"
import { tenJobs } from "./chapters/TenJobs.ts"
import { openScene, type Scene, type Stage } from "./Scene.ts"
import { openShop, type Shop } from "./Shop.ts"

/** A product of its own, on which people do what they come for. */
export const jobsStory = async (stage: Stage): Promise<void> => {
  const scene = await openScene(stage)
  await signIn(scene)
  await tenJobs(scene)
}

/** A product of its own with a shop on it, and the pictures of the documentation: all, or those whose names hold a word. */
export const pictureStory = (stage: Stage, words: ReadonlyArray<string>): Promise<void> =>
  inShop(stage, (scene, shop) =>
    stage.steps.step("takes the pictures", () => pictures(scene, shop, words), picturesLimitMs)
  )

/** A product of its own with a shop on it, whose main pages Lighthouse rates: all, or those whose addresses end in a word. */
export const ratingStory = (stage: Stage, words: ReadonlyArray<string>): Promise<void> =>
  inShop(stage, (scene) => rating(scene, words))

const shopLimitMs = 600_000
const picturesLimitMs = 1_800_000

const inShop = async (stage: Stage, act: (scene: Scene, shop: Shop) => Promise<void>): Promise<void> => {
  const scene = await openScene(stage)
  await signIn(scene)
  const opened: Array<Shop> = []
  await stage.steps.step(
    "opens a shop",
    async () => {
      opened.push(await openShop(scene))
    },
    shopLimitMs
  )
  for (const shop of opened) await act(scene, shop)
}
