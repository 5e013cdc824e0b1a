import { defineRoom } from "../room/Room.ts"
import { activityJobs } from "./count/ActivityCounter.ts"
import { ActivityReads } from "./read/ActivityReads.ts"

/** What happened in each environment by hour. */
export const room = defineRoom({ name: "activity", services: ActivityReads.layer, jobs: activityJobs })
