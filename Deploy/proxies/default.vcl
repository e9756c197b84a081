# Previews behind Varnish, which keeps answers as their Cache-Control allows. It adds X-Forwarded-For by itself.
#
#   halyard serve --host-name previews.example.org --trusted-proxy 127.0.0.1/32 --token-file tokens
#   varnishd -f /etc/varnish/default.vcl -a :80 -p backend_idle_timeout=15
#
# Without the tokens, everyone who reaches this proxy can have links fetched. 15 seconds are less than the 20 after which Halyard
# closes an idle connection.
vcl 4.1;

backend halyard {
  # Or .path = "/run/halyard-serve.sock", the socket of halyard-serve.socket, with '--trusted-proxy unix'.
  .host = "127.0.0.1";
  .port = "7780";
  .connect_timeout = 5s;
  # A preview takes 30 seconds at most.
  .first_byte_timeout = 40s;
  .between_bytes_timeout = 40s;
}
