/** The meter of a message: by its template's category, and `service` for everything else. gaps-3 E "Rate card seed" */
export const messageMeter = (
  type: string,
  category: "marketing" | "utility" | "authentication" | null
): `message.transport.${"marketing" | "utility" | "authentication" | "service"}` =>
  `message.transport.${type === "template" && category !== null ? category : "service"}`
