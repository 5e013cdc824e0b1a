#!/bin/sh
# Makes the authority of an installation and a certificate a node, in deploy/tls: run again, it makes what is missing.
# Each argument is a node: the host name or IP address that other nodes call, or a name with its addresses:
#   deploy/make-certificates.sh shard-1=10.0.0.11 edge-1=10.0.0.21,edge-1.internal
# Without arguments it takes the nodes of compose.yaml.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p tls
curve="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

[ -f tls/ca.pem ] || openssl req -x509 $curve -days 3650 -subj "/CN=carteiro nodes" -keyout tls/ca.key -out tls/ca.pem

# An IP address is checked against the addresses of a certificate, never against its host names.
alternative_names() {
  printf '%s\n' "$1" | tr ',' '\n' | while read -r address; do
    case "$address" in
      *:*) kind=IP ;;
      *[!0-9.]*) kind=DNS ;;
      *) kind=IP ;;
    esac
    printf '%s:%s,' "$kind" "$address"
  done | sed 's/,$//'
}

[ $# -gt 0 ] || set -- shard-1 shard-2 edge-1 edge-2
for node in "$@"; do
  name="${node%%=*}"
  folder="tls/$name"
  [ -f "$folder/$name.pem" ] && continue
  mkdir -p "$folder"
  openssl req $curve -subj "/CN=$name" -keyout "$folder/$name.key" -out "$folder/$name.csr"
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$(alternative_names "${node#*=}")" > "$folder/$name.ext"
  openssl x509 -req -in "$folder/$name.csr" -CA tls/ca.pem -CAkey tls/ca.key -CAcreateserial -days 365 \
    -extfile "$folder/$name.ext" -out "$folder/$name.pem"
  cp tls/ca.pem "$folder/ca.pem"
  rm "$folder/$name.csr" "$folder/$name.ext"
  # The image runs as user 1000.
  [ "$(id -u)" -ne 0 ] || chown -R 1000:1000 "$folder"
done
