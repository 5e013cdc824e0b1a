import { type Call, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Done } from "../kit/VendorRoute.ts"
import type { Location } from "./Locations.ts"
import { listQueryOf, pageOf } from "./Paging.ts"
import { type PixApiContext, refuseWith, routeOf } from "./PixApiContext.ts"
import { problem } from "./PixApiErrors.ts"
import type { Receiver } from "./Receivers.ts"
import { locationView } from "./Views.ts"

/** The bank's routes about addresses of payloads. */
export const locationRoutes = (context: PixApiContext): RouteList => {
  const { cobs, locations } = context
  const of = routeOf(context)

  const create = (call: Call, receiver: Receiver): Done => {
    const { tipoCob } = recordOf(jsonOf(call.body))
    if (tipoCob !== "cob" && tipoCob !== "cobv") {
      const violation = { razao: "O campo tipoCob não respeita o schema.", propriedade: "tipoCob" }
      const answer = problem(400, "PayloadLocationOperacaoInvalida", "Location inválida.", [violation])
      return refuseWith("request_invalid", answer)
    }
    return shown(locations.make(receiver, tipoCob), 201, "made")
  }

  const withLocation =
    (then: (location: Location, receiver: Receiver) => Done) =>
    (call: Call, receiver: Receiver): Done => {
      const location = locations.of(receiver, Number(call.places[0]))
      const missing = problem(404, "PayloadLocationNaoEncontrado", "Location não encontrada para o id informado.")
      return location === undefined ? refuseWith("not_found", missing) : then(location, receiver)
    }

  const part = withLocation((location, receiver) => {
    const cob = location.txid === null ? undefined : cobs.of(receiver, location.txid)
    if (cob !== undefined) cob.location = null
    locations.part(location)
    return shown(location, 200, "parted")
  })

  const list = (call: Call, receiver: Receiver): Done => {
    const query = listQueryOf(call.query, "PayloadLocationConsultaInvalida")
    if ("body" in query) return refuseWith("request_invalid", query)
    const found = locations
      .ofReceiver(receiver)
      .filter(({ createdAt }) => createdAt >= query.begin && createdAt <= query.end)
    const { items, parametros } = pageOf(found, query)
    return { answer: { status: 200, body: { parametros, loc: items.map(locationView) } }, outcome: "found" }
  }

  return [
    ["POST /loc", of("location", "payloadlocation.write", create)],
    ["GET /loc", of("location_list", "payloadlocation.read", list)],
    [
      "GET /loc/{}",
      of(
        "location_read",
        "payloadlocation.read",
        withLocation((one) => shown(one, 200, "found"))
      )
    ],
    ["DELETE /loc/{}/txid", of("location_part", "payloadlocation.write", part)]
  ]
}

const shown = (location: Location, status: number, outcome: string): Done => ({
  answer: { status, body: locationView(location) },
  outcome,
  facts: { id: String(location.id), external_id: location.txid }
})
