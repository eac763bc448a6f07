/**
 * Loaded into each node of the demo before the command itself: when the demo is gone, however it
 * went, its end of the channel closes and the node goes too.
 */
process.on('disconnect', () => process.exit(1));
// The channel alone must not keep a node running that has left.
process.channel?.unref();
