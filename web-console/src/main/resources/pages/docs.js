window.ui = SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  persistAuthorization: false,
  validatorUrl: null,
});
