module github.com/posthorn/posthorn/receivers/go

go 1.22
