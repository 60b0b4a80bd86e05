/** The adapter for Jakarta Servlet 5.0 and newer. */
package io.posthorn.receiver.servlet;
