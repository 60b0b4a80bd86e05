/** The adapter for Spring Boot: an auto-configuration that needs only properties. */
package io.posthorn.receiver.spring;
