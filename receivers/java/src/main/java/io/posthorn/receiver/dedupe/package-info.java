/** Processes each event once, even if it is delivered several times. */
package io.posthorn.receiver.dedupe;
