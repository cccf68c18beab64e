// Runs before the modules: if one of the page's files cannot be had, for example since the player has too many connections, the page asks for all of
// them again.
addEventListener("error", ({ target }) => {
  if (target.matches?.("script, [rel=stylesheet]")) setTimeout(() => location.reload(), 1000 + Math.random() * 2000);
}, true);
