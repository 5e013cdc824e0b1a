import { mergeRooms, type Room, stackRooms } from "@carteiro/runtime/room/Room.ts"
import { Layer } from "effect"

/** Returns routes and pages of some rooms over their own services and actions, in the form that `ApiTest` takes. */
export const served = <const Rooms extends ReadonlyArray<Room>>(...rooms: Rooms) =>
  Layer.merge(mergeRooms(rooms, "routes"), mergeRooms(rooms, "pages")).pipe(
    Layer.provideMerge(stackRooms(rooms, "actions")),
    Layer.provideMerge(stackRooms(rooms, "services"))
  )
