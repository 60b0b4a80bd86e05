package io.posthorn.receiver;

class ServletTest extends AdapterContract {
    ServletTest() throws Exception {
        super("Jakarta Servlet");
    }
}
