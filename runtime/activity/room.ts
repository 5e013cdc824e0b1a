import { defineRoom } from "../room/Room.ts"
import { activityJobs } from "./ActivityCounter.ts"
import { ActivityHttp } from "./ActivityHttp.ts"
import { ActivityReads } from "./ActivityReads.ts"

/** What happened in each environment by hour. */
export const room = defineRoom({
  name: "activity",
  services: ActivityReads.layer,
  routes: ActivityHttp,
  jobs: activityJobs
})
