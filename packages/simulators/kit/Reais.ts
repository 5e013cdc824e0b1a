/** Returns an amount in the Brazilian format, such as `R$ 1.109,87`. */
export const reais = (centavos: number): string => {
  const whole = String(Math.floor(centavos / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, ".")
  return `R$ ${whole},${String(centavos % 100).padStart(2, "0")}`
}
