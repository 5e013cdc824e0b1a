import { batch, defineOwner, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { Effect, Schema } from "effect"
import { GroupCommands } from "./GroupCommands.ts"
import * as Items from "./GroupItems.ts"
import { type GroupsState, makeGroupQueues } from "./GroupQueue.ts"

/**
 * The groups of one number, by its id: every change of one, and what is asked of the provider for it, in one order.
 * Architecture, section 2 "groups belong to their PhoneNumber"
 */
export const PhoneGroupsEntity = defineOwner("PhoneGroups", {
  Create: batch(Items.CreateItem, Items.Answered),
  Delete: batch(Items.GroupItem, Items.Answered),
  ResetLink: batch(Items.GroupItem, Items.Answered),
  Check: batch(Items.CheckItem, Items.Answered),
  /** Somebody joined or left; told twice it changes nothing. C-GPART-04 */
  Participate: batch(Items.ParticipantItem, Items.Answered),
  /** What became of a request at the provider; a group that is past it stays as it is. C-GRP-40, C-GRP-56 */
  Report: batch(Items.ReportItem, Schema.Void)
})

/** Hosts them. */
export const phoneGroupsOwners = PhoneGroupsEntity.toLayer(
  Effect.gen(function* () {
    const commands = yield* GroupCommands
    const queueOf = yield* makeGroupQueues
    return {
      load: (owner: OwnerHandle, _saved: string | undefined, before: GroupsState | undefined) =>
        Effect.sync((): GroupsState => {
          owner.dueAt(owner.now() + 1)
          const state = { queue: before?.queue ?? queueOf(owner) }
          state.queue.follow(owner, state)
          return state
        }),
      work: (state: GroupsState) => state.queue.pass(state),
      handlers: {
        Create: {
          read: (items: ReadonlyArray<Items.CreateItem>, _state: GroupsState, owner) =>
            commands.readEligibilities(owner.id, items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.create(owner, item, known.get(item.environment_id), now))
        },
        Delete: {
          read: (items: ReadonlyArray<Items.GroupItem>) => commands.readGroups(items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.remove(owner, item, known.get(item.id), now))
        },
        ResetLink: {
          read: (items: ReadonlyArray<Items.GroupItem>) => commands.readGroups(items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.reset(owner, item, known.get(item.id), now))
        },
        Check: {
          read: (items: ReadonlyArray<Items.CheckItem>, _state: GroupsState, owner) =>
            commands.readEligibilities(owner.id, items),
          decide: (items, known, _state, owner, now) =>
            items.map((item) => commands.check(owner, item, known.get(item.environment_id), now))
        },
        Participate: {
          read: (items: ReadonlyArray<Items.ParticipantItem>) => commands.readParticipants(items),
          decide: (items, known, _state, _owner, now) =>
            items.map((item, at) => commands.participate(item, known[at], now))
        },
        Report: {
          read: (items: ReadonlyArray<Items.ReportItem>) => commands.readGroups(items),
          decide: (items, known, _state, _owner, now) =>
            items.map((item) => commands.report(item, known.get(item.id), now))
        }
      }
    }
  })
)
