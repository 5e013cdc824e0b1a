import type { CallLog } from "../../kit/CallLog.ts"
import { logAndFaults, refused } from "../../kit/Control.ts"
import type { Faults } from "../../kit/Faults.ts"
import { jsonOf, ok, type RouteList, recordOf } from "../../kit/Routes.ts"
import type { Groups } from "../account/Groups.ts"
import type { Notices } from "../Notices.ts"
import type { Templates } from "../Templates.ts"
import type { World } from "../World.ts"
import { accountNotice } from "./AccountNotices.ts"
import { customerRoutes } from "./CustomerRoutes.ts"
import { setupRoutes } from "./SetupRoutes.ts"

interface Controlled {
  readonly world: World
  readonly log: CallLog
  readonly faults: Faults
  readonly notices: Notices
  readonly templates: Templates
  readonly groups: Groups
}

/** The control routes, which the product never calls: see `README.md`. */
export const controlRoutes = ({ faults, groups, log, notices, templates, world }: Controlled): RouteList => [
  ...logAndFaults(log, faults),
  ...setupRoutes(world),
  ...customerRoutes({ world, log, notices }),
  [
    "POST /subscribe",
    async ({ body }) => {
      const { url } = recordOf(jsonOf(body))
      if (typeof url !== "string") return refused("url: expected where the product listens")
      return (await notices.subscribe(url)) ? ok({ ok: true }) : refused("the receiver did not prove the verify token")
    }
  ],
  [
    "POST /changes",
    ({ body }) => {
      const { biz_account_id, field, value } = recordOf(jsonOf(body))
      if (typeof biz_account_id !== "string" || typeof field !== "string") return refused("biz_account_id and field")
      notices.change(biz_account_id, field, value)
      return ok({ ok: true })
    }
  ],
  [
    "POST /notices",
    ({ body }) => {
      const { biz_account_id, field, value } = recordOf(jsonOf(body))
      if (typeof biz_account_id !== "string" || typeof field !== "string") return refused("biz_account_id and field")
      const notice = accountNotice(world, biz_account_id, field, recordOf(value))
      if (notice === undefined) return refused("field: expected a field about accounts")
      notices.change(biz_account_id, notice.field, notice.value, notice.entry)
      return ok({ ok: true })
    }
  ],
  [
    "POST /participants",
    ({ body }) => {
      const change = recordOf(jsonOf(body))
      const group = world.groups.get(String(change.group_id))
      if (group === undefined) return refused("no such group")
      if (change.settings !== undefined) groups.changed(group, "group_settings_update", recordOf(change.settings))
      else if (change.status !== undefined) groups.changed(group, "group_status_update", recordOf(change.status))
      else groups.participant(group, change)
      return ok({ ok: true })
    }
  ],
  [
    "POST /templates",
    ({ body }) => (templates.set(recordOf(jsonOf(body))) ? ok({ ok: true }) : refused("no template of this name"))
  ]
]
